import type { ComponentChildren } from 'preact';

/** What a fact means for a reader. Color shows it too, never alone. */
export type Tone = 'good' | 'bad' | 'wait' | 'plain';

const signs: Readonly<Record<Tone, string>> = { good: '✓', bad: '✕', wait: '◷', plain: '•' };

/** A short text with a sign and a color. */
export function Mark({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <>
      <span class={`mark ${tone}`}>
        <span aria-hidden="true">{signs[tone]}</span> {children}
      </span>{' '}
    </>
  );
}
