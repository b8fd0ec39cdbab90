// Copyright 2026 The job-watcher authors
// SPDX-License-Identifier: Apache-2.0

import type { DeepReadonly, Request } from 'ots-runtime';
import { Pattern } from 'ots-runtime/pattern';
import type { JobWatcher, NamePattern } from '../api/v1/job-watcher.ts';

/**
 * A pattern that must match a whole name.
 * @throws {PatternError} when it is not a regular expression.
 */
export function wholeName(pattern: NamePattern): Pattern {
  // First by itself: `a)(b` is valid only between parentheses.
  return new Pattern(`^(?:${new Pattern(pattern).source})$`);
}

/**
 * Returns which Jobs a JobWatcher watches, by their names.
 * @throws {PatternError} when a pattern is not a regular expression.
 */
export function selectorOf({
  metadata,
  spec,
}: DeepReadonly<JobWatcher>): (job: Request) => boolean {
  const names = spec.jobNamePatterns.map((pattern) => wholeName(pattern));
  // The webhook fills them in. Without it, a JobWatcher does not reach beyond its namespace.
  const namespaces = spec.namespacePatterns?.map((pattern) => wholeName(pattern));
  return ({ namespace = '', name }) =>
    names.some((pattern) => pattern.test(name)) &&
    (namespaces?.some((pattern) => pattern.test(namespace)) ?? namespace === metadata.namespace);
}
