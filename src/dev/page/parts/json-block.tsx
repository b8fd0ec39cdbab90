import { diffLines } from './diff-lines.ts';

const signOf = { '-': '−', '+': '+', ' ': ' ' } as const;

/** What changed in a value, line by line. The sign says what the color says. */
export function Diff({ before, after }: { before: unknown; after: unknown }) {
  return (
    <pre class="diff">
      {diffLines(before, after).map(({ sign, text }, index) => {
        const line = `${signOf[sign]} ${text}\n`;
        if (sign === '-') return <del key={index}>{line}</del>;
        return sign === '+' ? <ins key={index}>{line}</ins> : line;
      })}
    </pre>
  );
}
