import { isUrl } from 'ots-apimachinery/go/parse-url';
import { OtsError } from '../../errors/ots-error.ts';
import { parseMaintainers } from './parse-maintainers.ts';

/** The flags that describe an operator, as users type them. */
export interface DescriptionFlags {
  displayName?: string;
  description?: string;
  providerName?: string;
  providerUrl?: string;
  keywords?: string;
  maintainers?: string;
}

/** A question about the operator, which a flag answers, too. */
interface DescriptionQuestion {
  readonly key: keyof DescriptionFlags;
  readonly flag: string;
  readonly message: string;
  readonly example: string;
  readonly isOptional?: true;
  /** Throws an OtsError for an invalid answer. */
  readonly check: (answer: string) => void;
}

/** In the order in which operator-sdk asks them. */
export const descriptionQuestions: readonly DescriptionQuestion[] = [
  {
    key: 'displayName',
    flag: '--display-name',
    message: 'What is the name of the operator for users?',
    example: 'Memcached Operator',
    check: needsText,
  },
  {
    key: 'description',
    flag: '--description',
    message: 'What does the operator do?',
    example: 'Runs Memcached clusters',
    check: needsText,
  },
  {
    key: 'providerName',
    flag: '--provider-name',
    message: 'Who provides it?',
    example: 'Acme Ltd',
    check: needsText,
  },
  {
    key: 'providerUrl',
    flag: '--provider-url',
    message: 'What is the web page of the provider? (optional)',
    example: 'https://acme.example.com',
    isOptional: true,
    check: (answer) => {
      if (answer !== '' && !(isUrl(answer) && /^https?:\/\/./.test(answer)))
        throw invalid('The web page of the provider is not a URL', 'Write one that starts with https://.');
    },
  },
  {
    key: 'keywords',
    flag: '--keywords',
    message: 'By which keywords do users find it? (comma-separated)',
    example: 'memcached,cache',
    check: (answer) => {
      if (keywordsIn(answer).length === 0) throw invalid('There is no keyword', 'Write at least one.');
    },
  },
  {
    key: 'maintainers',
    flag: '--maintainers',
    message: 'Who maintains it? (name:address, comma-separated)',
    example: 'Ada Lovelace:ada@example.com',
    check: parseMaintainers,
  },
];

/** The keywords of a comma-separated text. */
export function keywordsIn(text: string): string[] {
  return [...new Set(text.split(',').map((word) => word.trim()))].filter((word) => word !== '');
}

function needsText(answer: string): void {
  if (answer.trim() === '') throw invalid('The answer is empty', 'Write a text.');
}

function invalid(message: string, hint: string): OtsError {
  return new OtsError('INVALID_DESCRIPTION', message, { hint });
}
