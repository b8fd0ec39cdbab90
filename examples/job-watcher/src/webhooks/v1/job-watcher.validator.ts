// Copyright 2026 The job-watcher authors
// SPDX-License-Identifier: Apache-2.0

import { isDeepStrictEqual } from 'node:util';
import { SubjectAccessReview } from 'ots-kubernetes/authorization/v1';
import {
  type AdmissionContext,
  type Client,
  DeniedError,
  type FieldError,
  InvalidError,
  type Manager,
  type Validator,
  WebhookBuilder,
} from 'ots-runtime';
import { PatternError } from 'ots-runtime/pattern';
import { JobWatcher, type NamePattern } from '../../api/v1/job-watcher.ts';
import { wholeName } from '../../jobs/job-selector.ts';

/**
 * JobWatcherValidator refuses patterns that are not regular expressions, and a JobWatcher that reaches into other namespaces when its
 * author may not delete Jobs there.
 *
 * @webhook
 * @rbac groups=authorization.k8s.io resources=subjectaccessreviews verbs=create
 */
export class JobWatcherValidator implements Validator<JobWatcher> {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async validateCreate(watcher: JobWatcher, context: AdmissionContext): Promise<void> {
    refuseInvalidPatterns(watcher);
    await this.#refuseForeignNamespaces(watcher, context);
  }

  async validateUpdate(
    old: JobWatcher,
    watcher: JobWatcher,
    context: AdmissionContext,
  ): Promise<void> {
    if (isDeepStrictEqual(old.spec, watcher.spec)) return; // labels, finalizers
    await this.validateCreate(watcher, context);
  }

  validateDelete(): void {}

  async #refuseForeignNamespaces(
    { metadata, spec }: JobWatcher,
    { user }: AdmissionContext,
  ): Promise<void> {
    if (spec.namespacePatterns?.every((pattern) => pattern === metadata.namespace) ?? true) return;
    const { username, uid, groups, extra } = user;
    const review = await this.#client.create(SubjectAccessReview, {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata: {},
      spec: {
        user: username,
        uid,
        groups,
        extra,
        resourceAttributes: { group: 'batch', resource: 'jobs', verb: 'delete' },
      },
    });
    if (review.status?.allowed) return;
    throw new DeniedError(
      `spec.namespacePatterns: ${username} may not delete Jobs in all namespaces, so the only pattern can be "${metadata.namespace}"`,
    );
  }
}

function refuseInvalidPatterns({ spec }: JobWatcher): void {
  const errors = [
    ...invalidPatterns('spec.jobNamePatterns', spec.jobNamePatterns),
    ...invalidPatterns('spec.namespacePatterns', spec.namespacePatterns ?? []),
  ];
  if (errors.length > 0) throw new InvalidError(errors);
}

function invalidPatterns(field: string, patterns: readonly NamePattern[]): FieldError[] {
  return patterns.flatMap((pattern, index) => {
    try {
      wholeName(pattern);
      return [];
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      return [
        {
          field: `${field}[${index}]`,
          message: error.message,
          reason: 'FieldValueInvalid' as const,
        },
      ];
    }
  });
}

/** Adds the webhook to the manager. */
export function setupJobWatcherV1Validator(manager: Manager): void {
  const validator = new JobWatcherValidator(manager.client);
  new WebhookBuilder(manager, JobWatcher).withValidator(validator).complete();
}
