// Copyright 2026 The wordpress-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { Plans } from '../api/v1alpha1/wordpress.ts';
import type { Site } from './objects.ts';

/** A plan, and what it runs for. */
export interface DuePlan {
  readonly name: keyof Plans;
  readonly revision: string;
}

/** The plan that a site needs now: one at a time, and a restore that has begun first. */
export function duePlan({ spec, status }: Site): DuePlan | undefined {
  const { deploy, update } = status?.plans ?? {};
  const requested = requestedRun({ spec, status });
  if (isStopped(status)) return requested?.name === 'restore' ? requested : undefined;
  const revision = spec.version;
  if (deploy?.phase !== 'Complete') return { name: 'deploy', revision };
  const isUpdating = update !== undefined && update.phase !== 'Complete';
  return isUpdating || status?.version !== revision ? { name: 'update', revision } : requested;
}

/** Whether the web servers must be away: from the beginning of a restore until all data is there again. */
export function isStopped(status: Site['status']): boolean {
  const { steps = [] } = status?.plans?.restore ?? {};
  const hasBegun = steps.some(({ name, state }) => name === 'stop/web' && state !== 'Pending');
  return (
    hasBegun && steps.some(({ name, state }) => name.startsWith('data/') && state !== 'Complete')
  );
}

function requestedRun({
  spec: { run },
  status,
}: Pick<Site, 'spec' | 'status'>): DuePlan | undefined {
  if (!run) return undefined;
  const last = status?.plans?.[run.plan];
  const isDone = last?.revision === run.id && last.phase === 'Complete';
  return isDone ? undefined : { name: run.plan, revision: run.id };
}
