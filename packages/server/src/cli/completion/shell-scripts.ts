/** The script of each shell that completes command lines of `agentkeep`. */

/** The shells that have a script. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** A shell with a script. */
export type Shell = (typeof shells)[number];

/** Each script asks the command itself, and leaves file names to the shell. */
export const shellScripts: Readonly<Record<Shell, string>> = {
  bash: `_agentkeep() {
  local IFS=$'\\n'
  COMPREPLY=($(agentkeep completion candidates -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _agentkeep agentkeep
`,
  zsh: `#compdef agentkeep
_agentkeep() {
  local -a found
  found=("\${(@f)$(agentkeep completion candidates -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _agentkeep agentkeep
`,
  fish: `complete -c agentkeep -a '(agentkeep completion candidates -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
};
