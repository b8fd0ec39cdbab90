import { parseUrl } from 'ots-apimachinery/go/parse-url';
import { type FieldError, invalid, required } from '../status/field-error.ts';
import type { Crd } from './crd-types.ts';

const protectedGroup = /(^|\.)(k8s|kubernetes)\.io$/;
const approval = 'api-approved.kubernetes.io';
const field = `metadata.annotations[${approval}]`;
const place = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** Groups of the Kubernetes community require an approval annotation. */
export function validateApproval({ metadata, spec }: Crd, old?: Crd): FieldError[] {
  if (!protectedGroup.test(spec.group)) return [];
  const text = metadata.annotations?.[approval] ?? '';
  const state = stateOf(text);
  if (old && stateOf(old.metadata.annotations?.[approval] ?? '') === state) return [];
  const must = `protected groups must have approval annotation "${approval}"`;
  if (state === 'missing') return [required(field, `${must}, ${place}`)];
  if (state !== 'invalid') return [];
  return [invalid(field, text, `${must} with either a URL or a reason starting with "unapproved", ${place}`)];
}

function stateOf(text: string): 'missing' | 'bypassed' | 'approved' | 'invalid' {
  if (text === '') return 'missing';
  if (text.startsWith('unapproved')) return 'bypassed';
  const url = parseUrl(text);
  return url && url.host !== '' && url.scheme !== '' ? 'approved' : 'invalid';
}
