import { maxDnsSubdomainLength } from 'ots-apimachinery/names';
import { dnsLabelProblem, toDnsLabel } from './dns-label.ts';
import { quoted } from './quoted.ts';

/**
 * Checks labels joined by dots. The API server only bounds the whole; DNS bounds each label too, and a name that no
 * resolver can hold is of no use as a domain.
 *
 * @returns what keeps `value` from being a DNS-1123 subdomain, to be put after "…: it", or undefined.
 */
export function dnsSubdomainProblem(value: string, maxLength = maxDnsSubdomainLength): string | undefined {
  if (value === '') return 'is empty';
  if (value.length > maxLength) return `is ${value.length} characters long, and ${maxLength} are allowed`;
  const labels = value.split('.');
  if (labels.includes('')) return 'starts or ends with a dot, or has two in a row';
  for (const label of labels) {
    const problem = dnsLabelProblem(label, 'DNS-1123');
    if (problem) return labels.length === 1 ? problem : `has the part ${quoted(label)}, which ${problem}`;
  }
  return undefined;
}

/** Makes the closest DNS-1123 subdomain out of what was typed: `https://Example.com/` becomes `example.com`. */
export function toDnsSubdomain(value: string): string | undefined {
  const host = value
    .slice(0, 1000)
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/[/?#].*$/s, '');
  const labels = host.split('.').flatMap((label) => toDnsLabel(label, 'DNS-1123') ?? []);
  const subdomain = labels.join('.');
  return dnsSubdomainProblem(subdomain) === undefined ? subdomain : undefined;
}
