/** The texts of policies, contexts and timelines of learning in German. */
import { counted } from './counted.js';
import type { basisTexts } from '../en/basis.js';
import type { timelineTexts } from '../en/timelines.js';
import type { Translated } from '../translated.js';

/** These texts. */
export const germanBasisTexts: Translated<typeof basisTexts & typeof timelineTexts> = {
  basis: {
    lists: 'Listen',
    scopes: 'Bereiche',
    policies: 'Richtlinien',
    contexts: 'Kontexte',
    noPolicies: 'Keine registrierten Richtlinien',
    noPoliciesText:
      'Eine Richtlinie legt fest, wie Verfahren bewertet werden. Ein Programm mit policy_admin registriert sie mit learning.registerPolicy().',
    noContexts: 'Keine registrierten Kontexte',
    noContextsText:
      'Ein Kontext nennt Aufgabe, Modell und Daten, für die Verfahren bewertet werden. Ein Programm mit policy_admin registriert ihn mit learning.registerContext().',
    algorithm: 'Entscheidung',
    algorithms: {
      fixed_budget_hoeffding_v1: 'nach einer festen Zahl von Durchläufen',
      betting_e_process_v1: 'sobald die Belege ausreichen',
    },
    contract: 'Bewertungsvertrag',
    registeredBy: 'Registriert von',
    allPolicies: 'Alle Richtlinien',
    allContexts: 'Alle Kontexte',
    admits: 'Wann ein Verfahren zugelassen wird',
    afterTrials: (trials: number, delta: string) =>
      `Nach genau ${counted(trials, 'Durchlauf', 'Durchläufen')} ist die Verbesserung bis auf einen Fehler von ${delta} sicher.`,
    byWealth: (delta: string, trials: number) =>
      `Die Wetten auf eine Verbesserung erreichen innerhalb von ${counted(trials, 'Durchlauf', 'Durchläufen')} ein Vermögen von 1 / ${delta}.`,
    byShare: (delta: string, trials: number, most: number) =>
      `Die Wetten auf eine Verbesserung erreichen innerhalb von ${counted(trials, 'Durchlauf', 'Durchläufen')} ein Vermögen von ${most} / (k · ${delta}), wobei k Kandidaten es erreichen.`,
    together: (delta: string, most: number) =>
      `Bis zu ${most} Kandidaten eines Bereichs werden gemeinsam bewertet: Von den zugelassenen ist höchstens ein Anteil von ${delta} voraussichtlich nicht besser.`,
    improves: (least: string) =>
      `Die Verbesserung gegenüber dem Ausgangsverfahren beträgt mindestens ${least}.`,
    isUseful: (least: string) => `Der mittlere Nutzen beträgt mindestens ${least}.`,
    isWithin: (cost: string, latency: string) =>
      `Kein Durchlauf kostet mehr als ${cost} Einheiten oder dauert länger als ${latency}.`,
    rejects: 'Wann ein Verfahren abgelehnt wird',
    gateFails: 'Eine dieser Bedingungen ist beim letzten Durchlauf nicht erfüllt.',
    overBudget: 'Ein Durchlauf überschreitet ein Budget.',
    losesBets: 'Die Wetten gegen eine Verbesserung gewinnen ebenso viel.',
    noTrials: 'Es sind keine Durchläufe mehr übrig.',
    suspends: 'Wann ein Verfahren im Einsatz ausgesetzt wird',
    byStreak: (most: number) =>
      `${counted(most, 'Bewertung schlägt', 'Bewertungen schlagen')} nacheinander fehl.`,
    byEvidence: (trials: number) =>
      `Die Belege für eine Verschlechterung erreichen ${trials.toLocaleString('de')}. Ein Verfahren ohne Verschlechterung hält im Mittel mindestens so viele Bewertungen durch.`,
    failing: (least: string) =>
      `Eine Bewertung schlägt fehl, wenn sie ein Budget überschreitet, der Nutzen unter ${least} liegt oder geringer ist als beim Ausgangsverfahren.`,
    definition: 'Definition',
    circumstances: 'Umstände',
    model: 'Modell',
    environment: 'Umgebung',
    dataset: 'Daten',
    harness: 'Testumgebung',
    permissions: 'Berechtigungen',
    tools: 'Werkzeuge',
    choices: 'Aktuelle Auswahl',
    chooseScope: 'Wählen Sie den Bereich des anfragenden Agenten.',
    otherScope: 'Anderer Bereich',
    needsMemory:
      'Ihre Berechtigungen zeigen keine Verfahren. Bitten Sie die Administration um memory_read.',
    noFit: 'Keine Richtlinie passt zu diesem Kontext',
    noFitText: (contract: string) =>
      `Registrieren Sie eine Richtlinie mit dem Bewertungsvertrag ${contract}. Richtlinie und Kontext müssen darin übereinstimmen.`,
    partOfPolicies: (count: number) =>
      `Dies ist die Auswahl für die ersten ${count} passenden Richtlinien; es gibt weitere.`,
    bound: 'Untere Schranke',
    noBound:
      'In diesem Bereich ist für diese Richtlinie und diesen Kontext kein Verfahren vorgeschlagen.',
    candidates: (policy: string) => `Verfahren, die nach ${policy} bewertet werden`,
  },
  timelines: {
    events: 'Verlauf',
    partOf: (count: number) =>
      `Dies sind die ersten ${count} Ereignisse in der Reihenfolge ihrer IDs; es gibt weitere.`,
    registered: 'registriert',
    requested: 'angefordert',
    by: (subject: string) => `von ${subject}`,
    cost: (units: number) => counted(units, 'Einheit', 'Einheiten'),
    takes: (time: string) => `Dauer ${time}`,
    evidence: (reference: string) => `Beleg ${reference}`,
    allAttempts: 'Alle Versuche',
    attempt: 'Versuch',
    context: 'Kontext',
    reporter: 'Gemeldet von',
    unit: 'Kosteneinheit',
    input: 'Eingabe',
    follows: 'Folgt auf',
    followed: (event: string, attempt: string) => `${event} von ${attempt}`,
    totals: 'Gemeldete Summen',
    allDevelopments: 'Alle Entwicklungen',
    development: 'Entwicklung',
    tool: 'Werkzeug',
    states: {
      requested: 'angefordert',
      pending_or_unknown: 'ausstehend oder unbekannt',
      cancellation_requested: 'Abbruch angefordert',
      succeeded: 'erfolgreich',
      failed: 'fehlgeschlagen',
      cancelled: 'abgebrochen',
    },
    reasons: {
      request_recorded: 'die Anforderung ist erfasst',
      cancellation_requested: 'der Auftraggeber hat den Abbruch angefordert',
      resource_limit_exceeded: 'das Limit der Ausführung wurde überschritten',
      unknown_consumption: 'der Verbrauch ist nicht bekannt',
      worker_reported_success: 'der Worker meldet Erfolg',
      worker_reported_failure: 'der Worker meldet einen Fehler',
      worker_confirmed_cancellation: 'der Worker bestätigt den Abbruch',
      worker_outcome_unknown: 'dem Worker ist das Ergebnis noch nicht bekannt',
    },
  },
};
