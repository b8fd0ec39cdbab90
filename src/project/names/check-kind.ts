import { maxDnsLabelLength } from 'ots-apimachinery/names';
import { didYouMean } from './did-you-mean.ts';
import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';
import { type ReservedReason, reservedNames } from './reserved-names.ts';

/** The list kind, `<Kind>List`, must also be a DNS label (ValidateCustomResourceDefinitionNames). */
const maxKindLength = maxDnsLabelLength - 'List'.length;

const reasons: Record<ReservedReason, (kind: string) => string> = {
  global: (kind) => `it would hide the JavaScript global ${kind}`,
  type: (kind) => `it would hide the TypeScript type ${kind}`,
  scaffold: (kind) => `scaffolded files import ${kind} from the runtime`,
  kubernetes: (kind) => `${kind} is a kind of every API server`,
  keyword: (kind) => `no variable can have its name: ${kind.toLowerCase()} is a keyword`,
  yaml: (kind) => `kubectl reads ${kind} in YAML as a boolean or null`,
  device: (kind) => `Windows does not allow a file with this name (${kind.toLowerCase()} is a device)`,
};

/** Reasons against the name of a kind of this project, in the order in which they are reported. */
const ownReasons: readonly ReservedReason[] = [
  'global',
  'type',
  'scaffold',
  'kubernetes',
  'keyword',
  'yaml',
  'device',
];
/** Reasons against the name of a kind of another project: it has its own files, so only imports can collide. */
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
    `The kind ${quoted(kind)} cannot be used: ${reasons[reason](kind)}`,
    origin === 'own'
      ? `Choose a more specific name, such as My${kind} or ${kind}Claim.`
      : 'Import the type under another name in your own code. ots cannot scaffold for it.',
  );
}

/**
 * Checks what the API server and TypeScript require of every kind, including built-in ones.
 *
 * @throws {OtsError} `INVALID_KIND`
 */
export function checkKindSyntax(kind: string): void {
  if (/^[A-Z][A-Za-z0-9]*$/.test(kind) && kind.length <= maxKindLength) return;
  const suggestion = toKind(kind);
  refuse(
    'INVALID_KIND',
    `The kind ${quoted(kind)} cannot be used: it ${kindProblem(kind)}`,
    didYouMean(
      suggestion === kind ? undefined : suggestion,
      'A kind is PascalCase: an upper-case letter, then letters and digits (a-z, A-Z, 0-9), such as JobWatcher.',
    ),
  );
}

function kindProblem(kind: string): string {
  if (kind === '') return 'is empty';
  if (kind.length > maxKindLength) {
    return `is ${kind.length} characters long, and ${maxKindLength} are allowed, because ${quoted(`${kind.slice(0, 8)}…List`)} is a name too`;
  }
  if (/^[a-z]/.test(kind)) return 'starts with a lower-case letter';
  if (/^[0-9]/.test(kind)) return 'starts with a digit';
  return 'has characters other than ASCII letters and digits';
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
