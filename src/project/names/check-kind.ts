import { maxDnsLabelLength } from 'ots-apimachinery/names';
import { didYouMean } from './did-you-mean.ts';
import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';
import { type ReservedReason, reservedNames } from './reserved-names.ts';

/** The list kind, `<Kind>List`, has to be a DNS label too (ValidateCustomResourceDefinitionNames). */
const maxKindLength = maxDnsLabelLength - 'List'.length;

const reasons: Record<ReservedReason, (kind: string) => string> = {
  global: (kind) => `${kind} is a global of JavaScript, which the kind would hide`,
  type: (kind) => `${kind} is a type of TypeScript's library, which the kind would hide`,
  scaffold: (kind) => `scaffolded files import ${kind} from the runtime`,
  kubernetes: (kind) => `${kind} is a kind that every API server has`,
  keyword: (kind) => `no variable can be named after it: ${kind.toLowerCase()} is a word of the language`,
  yaml: (kind) => `kubectl reads ${kind} in a file as a truth value or as null, not as a word`,
  device: (kind) => `Windows cannot hold a file of that name (${kind.toLowerCase()} is a device)`,
};

/** What a kind of this project may not be called, in the order in which it is told. */
const ownReasons: readonly ReservedReason[] = [
  'global',
  'type',
  'scaffold',
  'kubernetes',
  'keyword',
  'yaml',
  'device',
];
/** What a kind of somebody else may not be called: its files are written by its owner, only imports can clash. */
const externalReasons: readonly ReservedReason[] = ['scaffold', 'kubernetes', 'device'];

/**
 * Checks that a kind is PascalCase, short enough, and free to be an identifier in TypeScript.
 *
 * @param origin `own` for a kind that this project defines, `external` for one that it only works with
 * @throws {OtsError} `INVALID_KIND`, `RESERVED_KIND`
 */
export function checkKind(kind: string, origin: 'own' | 'external' = 'own'): void {
  checkKindSyntax(kind);
  const checked = origin === 'own' ? ownReasons : externalReasons;
  const reason = checked.find((candidate) => reservedNames[candidate].some((name) => name === kind));
  if (reason === undefined) return;
  refuse(
    'RESERVED_KIND',
    `The kind ${quoted(kind)} cannot be used: ${reasons[reason](kind)}.`,
    origin === 'own'
      ? `Choose a name that says more, such as My${kind} or ${kind}Claim.`
      : 'Import the type under another name in code of your own; ots cannot scaffold for it.',
  );
}

/**
 * Checks what the API server and TypeScript demand of every kind, built-in ones included.
 *
 * @throws {OtsError} `INVALID_KIND`
 */
export function checkKindSyntax(kind: string): void {
  if (/^[A-Z][A-Za-z0-9]*$/.test(kind) && kind.length <= maxKindLength) return;
  const suggestion = toKind(kind);
  refuse(
    'INVALID_KIND',
    `The kind ${quoted(kind)} cannot be used: it ${kindProblem(kind)}.`,
    didYouMean(
      suggestion === kind ? undefined : suggestion,
      'A kind is PascalCase: an upper-case letter, then letters and digits (a-z, A-Z, 0-9), such as JobWatcher.',
    ),
  );
}

function kindProblem(kind: string): string {
  if (kind === '') return 'is empty';
  if (kind.length > maxKindLength) {
    return `is ${kind.length} characters long, and ${maxKindLength} are allowed, since ${quoted(`${kind.slice(0, 8)}…List`)} is a name too`;
  }
  if (/^[a-z]/.test(kind)) return 'starts with a lower-case letter';
  if (/^[0-9]/.test(kind)) return 'starts with a digit';
  return 'has characters other than letters and digits of ASCII';
}

/** `my-kind` → `MyKind`, `Capitán` → `Capitan`, `1Captain` → `Captain`. */
function toKind(typed: string): string | undefined {
  const words = typed
    .slice(0, 200)
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .split(/[^A-Za-z0-9]+/);
  const kind = words
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .replace(/^[0-9]+/, '')
    .slice(0, maxKindLength);
  return kind === '' ? undefined : kind.charAt(0).toUpperCase() + kind.slice(1);
}
