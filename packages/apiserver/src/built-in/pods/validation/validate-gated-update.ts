import type { NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from 'ots-kubernetes/core/v1';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { sameSpec } from '../same-spec.ts';

const terms = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';

/** Checks that an update of a gated pod only narrows its choice of nodes. */
export function validateGatedUpdate(spec: PodSpec, old: PodSpec): FieldError[] {
  return [...validateNodeSelector(spec, old), ...validateTerms(termsOf(spec), termsOf(old))];
}

function validateNodeSelector({ nodeSelector = {} }: PodSpec, old: PodSpec): FieldError[] {
  const isKept = Object.entries(old.nodeSelector ?? {}).every(([key, value]) => nodeSelector[key] === value);
  if (isKept) return [];
  const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return [invalid('spec.nodeSelector', nodeSelector, detail)];
}

function termsOf({ affinity }: PodSpec): readonly NodeSelectorTerm[] {
  return affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
}

function validateTerms(now: readonly NodeSelectorTerm[], old: readonly NodeSelectorTerm[]): FieldError[] {
  if (old.length === 0) return [];
  if (old.length !== now.length) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return [invalid(terms, now.length === 0 ? null : now.map(shown), detail)];
  }
  return now.flatMap((term, index) =>
    addsOnly(term, old[index] ?? {})
      ? []
      : [
          invalid(
            `${terms}[${index}]`,
            shown(term),
            'only additions are allowed (no mutations or deletions)',
          ),
        ],
  );
}

function addsOnly(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const lists = ['matchExpressions', 'matchFields'] as const;
  const isOpen = lists.every((list) => (old[list] ?? []).length === 0);
  // A term without requirements selects nothing: adding one would make it select something.
  if (isOpen) return lists.every((list) => (term[list] ?? []).length === 0);
  return lists.every((list) => {
    const before = old[list] ?? [];
    return sameSpec((term[list] ?? []).slice(0, before.length), before);
  });
}

/** A term as messages show it, with Go's field names. */
function shown({ matchExpressions, matchFields }: NodeSelectorTerm): unknown {
  return { MatchExpressions: shownList(matchExpressions), MatchFields: shownList(matchFields) };
}

function shownList(requirements: readonly NodeSelectorRequirement[] | undefined): unknown {
  if (!requirements) return null;
  return requirements.map(({ key, operator, values = null }) => ({
    Key: key,
    Operator: operator,
    Values: values,
  }));
}
