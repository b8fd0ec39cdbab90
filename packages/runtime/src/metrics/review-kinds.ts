import { type KubernetesObject, defineKind } from 'ots-kubernetes';
import type { UserInfo } from '../objects/user-info.ts';

/** Requests the user of a bearer token from the API server. */
export interface TokenReview extends KubernetesObject {
  apiVersion: 'authentication.k8s.io/v1';
  kind: 'TokenReview';
  spec: { token: string };
  status?: { authenticated?: boolean; user?: UserInfo; error?: string };
}

export const TokenReview = defineKind<TokenReview>({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  scope: 'Cluster',
});

/** Asks the API server whether a user may do something. */
export interface SubjectAccessReview extends KubernetesObject {
  apiVersion: 'authorization.k8s.io/v1';
  kind: 'SubjectAccessReview';
  spec: {
    user: string;
    uid?: string;
    groups?: string[];
    extra?: Record<string, string[]>;
    nonResourceAttributes: { path: string; verb: string };
  };
  status?: { allowed: boolean };
}

export const SubjectAccessReview = defineKind<SubjectAccessReview>({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  scope: 'Cluster',
});
