import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { closestName } from '../../errors/closest-name.ts';
import { UsageError } from '../../errors/usage-error.ts';

/**
 * Each script hands the words typed so far to `ots __complete` and offers what it prints: one candidate a line, with
 * a tab and a description behind it.
 */
const SCRIPTS = {
  bash: `_ots() {
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}") line
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do
    COMPREPLY+=("$line")
  done < <(ots __complete -- "\${words[@]}" 2>/dev/null)
}
# Without this bash splits --flag=value in three words.
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
} as const;

/** Prints the completion script of a shell. */
export async function completion(
  options: CommonOptions & { shell: string },
  context: Context,
): Promise<void> {
  const script = Object.hasOwn(SCRIPTS, options.shell)
    ? SCRIPTS[options.shell as keyof typeof SCRIPTS]
    : undefined;
  if (!script) {
    const meant = closestName(options.shell, Object.keys(SCRIPTS));
    throw new UsageError('unknown-shell', `There is no completion for ${JSON.stringify(options.shell)}.`, {
      hint: meant ? `Did you mean ${meant}?` : 'Name one of bash, zsh and fish.',
    });
  }
  context.stdout.write(script);
}
