import { maxDnsSubdomainLength } from 'ots-apimachinery/names';
import { didYouMean } from './did-you-mean.ts';
import { dnsSubdomainProblem, toDnsSubdomain } from './dns-subdomain.ts';
import { isProtectedGroup } from './protected-group.ts';
import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';

/** The lease of the leader election is named `<8 hex digits>.<domain>`, and a name has 253 characters at most. */
const maxDomainLength = maxDnsSubdomainLength - '12345678.'.length;

/**
 * Checks the domain that API groups end in.
 *
 * @param origin `own` for groups that this project defines, `external` for those of other projects, which may be
 *   protected
 * @throws {OtsError} `INVALID_DOMAIN`, `PROTECTED_GROUP`
 */
export function checkDomain(domain: string, origin: 'own' | 'external' = 'own'): void {
  const problem = dnsSubdomainProblem(domain, maxDomainLength);
  if (problem) {
    const suggestion = toDnsSubdomain(domain);
    refuse(
      'INVALID_DOMAIN',
      `The domain ${quoted(domain)} cannot be used: it ${problem}`,
      didYouMean(
        suggestion === domain ? undefined : suggestion,
        'A domain is lower-case labels of a-z, 0-9 and "-" joined by dots, such as example.com.',
      ),
    );
  }
  if (origin === 'own' && isProtectedGroup(domain)) {
    refuse(
      'PROTECTED_GROUP',
      `The domain ${quoted(domain)} belongs to Kubernetes: the API server rejects CRDs under it without an api-approved.kubernetes.io annotation`,
      'Use a domain that you own, such as example.com.',
    );
  }
}
