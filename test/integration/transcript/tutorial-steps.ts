/** What a tutorial asks of its reader. */
export type TutorialStep =
  /** Types commands into a terminal, and compares what they show. */
  | { readonly kind: 'commands'; readonly terminal: string; readonly text: string; readonly shows: string }
  /** Starts a command that stays in the foreground of its terminal. */
  | { readonly kind: 'serve'; readonly terminal: string; readonly text: string; readonly until: string }
  /** Ends what runs in a terminal. */
  | { readonly kind: 'close'; readonly terminal: string }
  /** Writes a file of the project. */
  | { readonly kind: 'file'; readonly path: string; readonly text: string };

const fence = /^```(?<language>\S+)(?<attributes>.*)\n(?<text>[^]*?)^```$/gm;
const attribute = /(?<name>\w+)="(?<value>[^"]*)"/g;

/**
 * The steps of a tutorial, in order. Every fenced block of the page is one, or what the commands before it show:
 *
 * - `sh`: commands. `terminal="…"` names the terminal, `until="…"` the text after which a server is ready, and `close="…"` ends what
 *   runs in a terminal before the commands.
 * - `text`: lines that the commands before it show, in this order among others. `…` stands for any text.
 * - any other language with `title="…"`: the content of a file.
 *
 * @param markdown the page
 * @throws {Error} when a block is none of these
 */
export function tutorialSteps(markdown: string): TutorialStep[] {
  const steps: TutorialStep[] = [];
  for (const { groups } of markdown.matchAll(fence)) {
    const { language = '', attributes = '', text = '' } = groups!;
    const { title, terminal = 'main', until, close } = attributesOf(attributes);
    if (close !== undefined) steps.push({ kind: 'close', terminal: close });
    if (language === 'sh' && until !== undefined)
      steps.push({ kind: 'serve', terminal, text: text.trimEnd(), until });
    else if (language === 'sh') steps.push({ kind: 'commands', terminal, text: text.trimEnd(), shows: '' });
    else if (title !== undefined) steps.push({ kind: 'file', path: title, text });
    else if (language === 'text') expectOutput(steps, text);
    else throw new Error(`The tutorial has a block that is not a step:\n${text}`);
  }
  return steps;
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(text.matchAll(attribute), ({ groups }) => [groups!['name'], groups!['value']]),
  );
}

function expectOutput(steps: TutorialStep[], shows: string): void {
  const last = steps.pop();
  if (last?.kind !== 'commands') throw new Error(`No commands show this text:\n${shows}`);
  steps.push({ ...last, shows: shows.trimEnd() });
}

/**
 * What output must match to show the lines of a block.
 *
 * @param shows the block; `…` stands for any text
 */
export function outputPattern(shows: string): RegExp {
  const lines = shows.split('\n').map((line) =>
    line
      .trim()
      .split(/(…|\s+)/)
      .map((part) =>
        part === '…' ? '.*' : part.trim() === '' && part !== '' ? String.raw`\s+` : escaped(part),
      )
      .join(''),
  );
  return new RegExp(lines.join('[^]*?'));
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
