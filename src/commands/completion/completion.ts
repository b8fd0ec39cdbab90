import { closestName } from 'ots-apimachinery/closest-name';
import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { shells } from './shells.ts';

/**
 * Each script passes the words typed so far to `ots __complete` and offers its output: one candidate per line, followed
 * by a tab and a description.
 */
const scripts: Record<(typeof shells)[number], string> = {
  bash: `_ots() {
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}") line
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do
    COMPREPLY+=("$line")
  done < <(ots __complete -- "\${words[@]}" 2>/dev/null)
}
# Without this, bash splits --flag=value into three words.
COMP_WORDBREAKS=\${COMP_WORDBREAKS//=/}
complete -o default -F _ots ots
`,
  zsh: `#compdef ots
_ots() {
  local -a candidates
  local value description
  while IFS=$'\\t' read -r value description; do
    candidates+=("\${value//:/\\\\:}\${description:+:$description}")
  done < <(ots __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe -V ots candidates
}
if [ "$funcstack[1]" = _ots ]; then _ots "$@"; else compdef _ots ots; fi
`,
  fish: `function __ots_complete
  set -l words (commandline -opc) (commandline -ct)
  ots __complete -- $words[2..-1] 2>/dev/null
end
complete -c ots -f -a '(__ots_complete)'
`,
};

/** Prints the completion script of a shell. */
export async function completion(
  options: CommonOptions & { shell: string },
  context: Context,
): Promise<void> {
  const shell = shells.find((name) => name === options.shell);
  if (!shell) {
    const meant = closestName(options.shell, shells);
    throw new UsageError(
      'UNKNOWN_SHELL',
      `ots has no completion script for ${JSON.stringify(options.shell)}`,
      {
        hint: meant ? `Did you mean ${meant}?` : `Name one of ${shells.join(', ')}.`,
      },
    );
  }
  context.stdout.write(scripts[shell]);
}
