/** The texts of learning in German. */
import { counted } from './counted.js';
import type { learningTexts } from '../en/learning.js';
import type { Translated } from '../translated.js';

/** These texts. */
export const germanLearningTexts: Translated<typeof learningTexts> = {
  learning: {
    title: 'Lernen',
    about: 'Was Agenten lernen: Verfahren und ihre Bewertung, Versuche und Werkzeuge.',
    choose: 'Wählen Sie den Bereich, dessen Lernstand Sie sehen möchten.',
    sections: 'Arten',
    procedures: 'Verfahren',
    attempts: 'Versuche',
    tools: 'Werkzeuge',
    noRights: 'Ihre Berechtigungen zeigen keinen Lernstand',
    noRightsText:
      'Bitten Sie die Administration um memory_read, experience_read, tool_read oder policy_admin.',
    noProcedures: 'Keine vorgeschlagenen Verfahren',
    noProceduresText:
      'Ein Agent mit procedure_propose schlägt mit learning.propose() ein Verfahren für eine Richtlinie und einen Kontext vor.',
    id: 'ID',
    state: 'Status',
    states: {
      Candidate: 'Kandidat',
      Active: 'Qualifiziert',
      Rejected: 'Abgelehnt',
      Suspended: 'Ausgesetzt',
    },
    basis: 'Richtlinie und Kontext',
    trials: 'Durchläufe',
    trialsOf: (count: number, most: number) => `${count} von ${most}`,
    improvement: 'Mittlere Verbesserung',
    back: 'Alle Verfahren',
    figures: 'Kennzahlen',
    evaluator: 'Prüfer',
    task: 'Aufgabe',
    baseline: 'Ausgangsverfahren',
    meanUtility: 'Mittlerer Nutzen',
    lowerBound: 'Untere Schranke bei der Entscheidung',
    violations: 'Budget überschritten',
    monitored: 'Bewertungen im Einsatz',
    streak: 'Fehlschläge in Folge',
    streakOf: (count: number, most: number) => `${count}, ausgesetzt bei ${most}`,
    proposed: 'Vorgeschlagen',
    help: {
      trials:
        'Gezählte Fälle und wie viele die Richtlinie höchstens zulässt, bevor sie entscheidet.',
      improvement:
        'Mittlerer Nutzen des Verfahrens minus dem des Ausgangsverfahrens. Nutzen liegt zwischen 0 und 1.',
      lowerBound:
        'Die wahre Verbesserung liegt darüber, bis auf das Risiko, das die Richtlinie in Kauf nimmt.',
      violations: 'Versuche über dem Kosten- oder Zeitlimit der Richtlinie.',
      monitored: 'Auswertungen im Einsatz seit der Zulassung.',
      streak: 'Schlechte Ergebnisse im Einsatz hintereinander.',
      wealth:
        'Beginnt bei 1 und wächst, wenn das Verfahren besser ist. Beim zweiten Wert wird es zugelassen.',
      against: 'Dasselbe für Wetten gegen eine Verbesserung. Wächst es genug, wird es abgelehnt.',
      bounds: 'Die wahre Verbesserung liegt in diesem Bereich, wie oft man auch nachsieht.',
      degradation:
        'Wächst, wenn Ergebnisse im Einsatz schlechter sind. Beim zweiten Wert wird es ausgesetzt.',
      family:
        'Kandidaten derselben Richtlinie und desselben Kontexts. Je mehr, desto mehr Belege sind nötig.',
    },
    wealth: 'Wettvermögen',
    wealthOf: (wealth: string, deciding: string) => `${wealth}, zugelassen bei ${deciding}`,
    against: 'Gegenvermögen',
    bounds: 'Verbesserung liegt zwischen',
    left: 'Verbleibende Durchläufe',
    degradation: 'Belege für eine Verschlechterung',
    degradationOf: (evidence: string, deciding: string) =>
      `${evidence}, ausgesetzt bei ${deciding}`,
    family: 'Gemeinsam bewertet',
    familyOf: (candidates: number, accepted: number) =>
      `${counted(candidates, 'Kandidat', 'Kandidaten')}, ${accepted} angenommen`,
    instructions: 'Anweisungen',
    decisions: 'Entscheidungen',
    undecided: 'Noch keine Entscheidung.',
    decision: (from: string, to: string) => `${from} zu ${to}`,
    byCase: (name: string) => `durch Fall ${name}`,
    selection: 'Aktuelle Auswahl',
    chosen: (id: string) => `Für diese Richtlinie und diesen Kontext wird ${id} gewählt.`,
    isChosen: 'Für diese Richtlinie und diesen Kontext wird dieses Verfahren gewählt.',
    chosenWhy: 'Es hat unter den qualifizierten die größte untere Schranke der Verbesserung.',
    chosenBaseline: (revision: string) => `Es bleibt beim Ausgangsverfahren ${revision}.`,
    baselineWhy: 'Für diese Richtlinie und diesen Kontext ist kein Verfahren qualifiziert.',
    evaluations: 'Bewertungen',
    noEvaluations: 'Noch keine Bewertungen',
    noEvaluationsText: 'Der Prüfer der Richtlinie reicht Fälle mit learning.evaluate() ein.',
    partOf: (count: number) =>
      `Diagramme und Tabelle zeigen die ersten ${count} Bewertungen in der Reihenfolge der Fälle; es gibt weitere.`,
    case: 'Fall',
    phase: 'Phase',
    outcome: 'Ergebnis',
    candidate: 'Kandidat',
    difference: 'Unterschied',
    least: 'Mindestwert für die Zulassung',
    most: 'Höchstwert innerhalb des Budgets',
    differences: 'Verbesserung gegenüber dem Ausgangsverfahren',
    utility: 'Nutzen',
    cost: 'Kosten',
    latency: 'Latenz',
    time: 'Zeit',
    noAttempts: 'Keine registrierten Versuche',
    noAttemptsText:
      'Ein Programm mit experience_write registriert einen Versuch vor dem Beginn mit experiences.register().',
    partOfAttempts: (count: number) =>
      `Dies sind die ersten ${count} Versuche in der Reihenfolge ihrer IDs; es gibt weitere.`,
    open: 'offen',
    outcomes: {
      unknown: 'unbekannt',
      succeeded: 'erfolgreich',
      failed: 'fehlgeschlagen',
      cancelled: 'abgebrochen',
    },
    reporter: (name: string) => `gemeldet von ${name}`,
    observations: (count: number) => counted(count, 'Beobachtung', 'Beobachtungen'),
    developments: 'Entwicklungen',
    noDevelopments: 'Zurzeit wird kein Werkzeug entwickelt',
    noDevelopmentsText:
      'Ein Agent mit tool_develop fordert mit tools.requestDevelopment() eine Entwicklung an.',
    objective: 'Ziel',
    executor: 'Ausführung',
    artifact: 'Werkzeug',
    artifacts: 'Registrierte Werkzeuge',
    noArtifacts: 'Keine registrierten Werkzeuge',
    noArtifactsText:
      'Eine erfolgreiche Entwicklung registriert ein Werkzeug, ebenso tools.registerArtifact().',
    entrypoint: 'Einstiegspunkt',
    repairs: 'Ersetzt fehlerhaftes Werkzeug',
    registered: 'Registriert',
  },
};
