import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';

/**
 * Checks the copyright owner, which a comment at the top of every file names.
 *
 * @throws {OtsError} `INVALID_OWNER`
 */
export function checkOwner(owner: string): void {
  const problem = ownerProblem(owner);
  if (problem === undefined) return;
  refuse(
    'INVALID_OWNER',
    `The owner ${quoted(owner)} cannot be used: it ${problem}`,
    'Use the name of a person or a company on one line, such as "Acme Inc.".',
  );
}

function ownerProblem(owner: string): string | undefined {
  if (owner.trim() === '') return 'is empty';
  if (owner.length > 200) return `is ${owner.length} characters long, and 200 are allowed`;
  if (/[\r\n\u0085\u2028\u2029]/.test(owner)) return 'has more than one line';
  if (/[\p{Cc}\p{Cs}\p{Bidi_Control}]/u.test(owner)) return 'has control characters';
  if (owner.includes('*/')) return 'has "*/", which ends a comment';
  return undefined;
}
