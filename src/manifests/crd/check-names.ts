import { isDns1035Label, isSubdomain } from 'ots-apimachinery/names';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { Span } from '../source/source-text.ts';
import type { Kind } from './kind.ts';

/**
 * Checks the names of a kind by the rules of apiextensions.k8s.io/v1.
 * @returns whether the names are valid; if not, the errors are in the diagnostics
 */
export function checkNames(kind: Kind, diagnostics: Diagnostics): boolean {
  const { source } = kind.declaration.module;
  let valid = true;
  const fail = (span: Span, message: string, hint: string) => {
    valid = false;
    diagnostics.error(source, span, 'kind-name', message, hint);
  };
  const { group, version, plural, apiVersionSpan, definition } = kind;
  const pluralSpan = definition.properties.get('plural')!.span;
  const kindSpan = definition.properties.get('kind')!.span;

  if (!isSubdomain(group) || !group.includes('.')) {
    fail(
      apiVersionSpan,
      `'${group}' is not the name of an API group`,
      `it is a domain with a dot, in lower case: 'batch.example.com'`,
    );
  } else if (/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)) {
    fail(apiVersionSpan, `${group} is reserved for Kubernetes itself`, 'use your own domain');
  }
  if (!isDns1035Label(version))
    fail(apiVersionSpan, `'${version}' is not the name of a version`, `write v1, v1alpha1 or v1beta1`);
  if (!isDns1035Label(plural))
    fail(pluralSpan, `'${plural}' is not a plural`, 'it consists of lower case letters, digits and dashes');
  if (!isDns1035Label(`${kind.kind}List`.toLowerCase())) {
    fail(
      kindSpan,
      `'${kind.kind}' is not the name of a kind`,
      'it consists of at most 59 letters, digits and dashes',
    );
  }
  return valid;
}
