import { maxDnsSubdomainLength } from 'ots-apimachinery/names';
import { didYouMean } from './did-you-mean.ts';
import { dnsSubdomainProblem, toDnsSubdomain } from './dns-subdomain.ts';
import { isProtectedGroup } from './protected-group.ts';
import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';

/**
 * Checks the part of an API group before the domain: `batch` of `batch.example.com`.
 *
 * kubebuilder allows an empty group and then uses the domain alone. ots needs both parts, because paths contain the
 * group; the same API group can be split differently.
 *
 * @param domain the part after the group; '' if there is none
 * @param origin see {@link checkDomain}
 * @throws {OtsError} `MISSING_GROUP`, `INVALID_GROUP`, `GROUP_CONTAINS_DOMAIN`, `GROUP_TOO_LONG`, `PROTECTED_GROUP`
 */
export function checkGroup(group: string, domain: string, origin: 'own' | 'external' = 'own'): void {
  if (group === '') {
    refuse(
      'MISSING_GROUP',
      'The group is empty',
      `Add one, such as --group batch${domain && ` for batch.${domain}`}.`,
    );
  }
  if (domain !== '' && (group === domain || group.endsWith(`.${domain}`))) {
    refuse(
      'GROUP_CONTAINS_DOMAIN',
      `The group ${quoted(group)} repeats the domain: the API group would be ${quoted(`${group}.${domain}`, 120)}`,
      `Omit the domain: --group ${group === domain ? 'batch' : group.slice(0, -domain.length - 1)}.`,
    );
  }
  const problem = dnsSubdomainProblem(group);
  if (problem) {
    const suggestion = toDnsSubdomain(group);
    refuse(
      'INVALID_GROUP',
      `The group ${quoted(group)} cannot be used: it ${problem}`,
      didYouMean(
        suggestion === group ? undefined : suggestion,
        'A group is lower-case labels of a-z, 0-9 and "-" joined by dots, such as batch or sea-creatures.',
      ),
    );
  }
  const qualified = domain === '' ? group : `${group}.${domain}`;
  if (qualified.length > maxDnsSubdomainLength) {
    refuse(
      'GROUP_TOO_LONG',
      `The group and the domain together are ${qualified.length} characters long, and ${maxDnsSubdomainLength} are allowed`,
      'Use a shorter group.',
    );
  }
  if (origin === 'own' && isProtectedGroup(qualified)) {
    refuse(
      'PROTECTED_GROUP',
      `The API group ${quoted(qualified)} belongs to Kubernetes: the API server rejects CRDs in it without an api-approved.kubernetes.io annotation`,
      'Use your own group and domain, such as batch and example.com.',
    );
  }
}
