import { isDns1035Label, isDnsLabel, maxDnsLabelLength } from 'ots-apimachinery/names';

/**
 * The two kinds of DNS label that the API server knows: names of most objects are DNS-1123 labels, which may start
 * with a digit; names of services, plurals, short names and versions are DNS-1035 labels, which start with a letter.
 */
export type DnsLabelKind = 'DNS-1123' | 'DNS-1035';

/** @returns what keeps `value` from being a DNS label, to be put after "…: it", or undefined when nothing does. */
export function dnsLabelProblem(value: string, kind: DnsLabelKind): string | undefined {
  if (kind === 'DNS-1035' ? isDns1035Label(value) : isDnsLabel(value)) return undefined;
  if (value === '') return 'is empty';
  if (value.length > maxDnsLabelLength) {
    return `is ${value.length} characters long, and ${maxDnsLabelLength} are allowed`;
  }
  if (/[A-Z]/.test(value)) return 'has upper-case letters';
  const foreign = /[^a-z0-9-]/u.exec(value)?.[0];
  if (foreign !== undefined) return `has the character ${describe(foreign)}`;
  if (value.startsWith('-') || value.endsWith('-')) return 'starts or ends with a hyphen';
  return 'starts with a digit';
}

/** Makes the closest DNS label out of what was typed: `My_App!` becomes `my-app`. */
export function toDnsLabel(
  value: string,
  kind: DnsLabelKind,
  maxLength = maxDnsLabelLength,
): string | undefined {
  const label = value
    .slice(0, 1000)
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(kind === 'DNS-1035' ? /^[-0-9]+/ : /^-/, '')
    .slice(0, Math.max(maxLength, 0))
    .replace(/-$/, '');
  return dnsLabelProblem(label, kind) === undefined ? label : undefined;
}

function describe(character: string): string {
  if (character === ' ') return '" " (a space)';
  return /^[\x21-\x7e]$/.test(character)
    ? JSON.stringify(character)
    : `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
