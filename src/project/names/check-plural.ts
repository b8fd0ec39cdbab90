import { maxDnsSubdomainLength } from 'ots-apimachinery/names';
import { didYouMean } from './did-you-mean.ts';
import { dnsLabelProblem, toDnsLabel } from './dns-label.ts';
import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';

/**
 * Checks a plural: it is a DNS-1035 label, and with the API group it is the name of the CRD.
 *
 * @param qualifiedGroup the whole API group, such as `batch.example.com`
 * @throws {OtsError} `INVALID_PLURAL`, `CRD_NAME_TOO_LONG`
 */
export function checkPlural(plural: string, qualifiedGroup: string): void {
  const problem = dnsLabelProblem(plural, 'DNS-1035');
  if (problem) {
    const suggestion = toDnsLabel(plural, 'DNS-1035');
    refuse(
      'INVALID_PLURAL',
      `The plural ${quoted(plural)} cannot be used: it ${problem}`,
      didYouMean(
        suggestion === plural ? undefined : suggestion,
        'A plural is a-z, 0-9 and "-", starts with a letter and has at most 63 characters, such as jobwatchers.',
      ),
    );
  }
  const length = plural.length + 1 + qualifiedGroup.length;
  if (length > maxDnsSubdomainLength) {
    refuse(
      'CRD_NAME_TOO_LONG',
      `The CRD would be named ${quoted(`${plural}.${qualifiedGroup}`)}, which is ${length} characters long, and ${maxDnsSubdomainLength} are allowed`,
      'Use a shorter group, domain or plural.',
    );
  }
}
