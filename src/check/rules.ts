import type { Problem } from './finding.ts';
import type { ProjectView } from './project-view.ts';

/** Finds the problems of a project. Reads nothing but the view, and writes nothing. */
type Check = (view: ProjectView) => readonly Problem[] | Promise<readonly Problem[]>;

/** A rule that a project should follow. */
export interface Rule {
  /** In kebab-case; part of the configuration and of reports. */
  readonly name: string;
  /** What it finds, as one line. */
  readonly summary: string;
  /** Imports the check when it is needed. */
  readonly load: () => Promise<Check>;
}

/** All rules, in the order of docs/check.md. */
export const rules: readonly Rule[] = [
  {
    name: 'project',
    summary: 'PROJECT is not valid',
    load: async () => (await import('./rules/project.ts')).checkProject,
  },
  {
    name: 'resource-files',
    summary:
      'a resource of PROJECT lacks a file, its registration in the code, or its entry in a kustomization',
    load: async () => (await import('./rules/resource-files.ts')).checkResourceFiles,
  },
  {
    name: 'orphaned-files',
    summary: 'a kind, controller, webhook, sample or role belongs to no resource of PROJECT',
    load: async () => (await import('./rules/orphaned-files.ts')).checkOrphanedFiles,
  },
  {
    name: 'manifests',
    summary: 'the sources have errors, or a generated file is out of date',
    load: async () => (await import('./rules/manifests.ts')).checkManifests,
  },
  {
    name: 'kustomization-entries',
    summary: 'a kustomization names a file that does not exist, or no kustomization names a file',
    load: async () => (await import('./rules/kustomization-entries.ts')).checkKustomizationEntries,
  },
  {
    name: 'kustomize-build',
    summary: 'a kustomization cannot be built',
    load: async () => (await import('./rules/kustomize-build.ts')).checkBuilds,
  },
  {
    name: 'object-fields',
    summary: 'a deployed object has a field that its kind does not have, or a value of the wrong type',
    load: async () => (await import('./rules/object-fields.ts')).checkObjectFields,
  },
  {
    name: 'samples',
    summary:
      'the API server would refuse a sample, because of its schema, its rules or a policy of the project',
    load: async () => (await import('./rules/samples.ts')).checkSamples,
  },
  {
    name: 'pod-security',
    summary: 'pods break the restricted level of the Pod Security Standards',
    load: async () => (await import('./rules/pod-security.ts')).checkPodSecurity,
  },
  {
    name: 'references',
    summary: 'an object refers to another one that does not exist, or selects no pods',
    load: async () => (await import('./rules/references.ts')).checkReferences,
  },
  {
    name: 'image-names',
    summary: 'an entry of images in a kustomization changes no image',
    load: async () => (await import('./rules/image-names.ts')).checkImageNames,
  },
  {
    name: 'leader-election',
    summary: 'the role for the lease names another lease than src/main.ts',
    load: async () => (await import('./rules/leader-election.ts')).checkLeaderElection,
  },
  {
    name: 'rbac-code',
    summary: 'the code calls what no @rbac tag allows',
    load: async () => (await import('./rules/rbac-code.ts')).checkRbacOfCode,
  },
  {
    name: 'rbac-record',
    summary: 'tests recorded requests that no @rbac tag allows, or a tag allows what no test requested',
    load: async () => (await import('./rules/rbac-record.ts')).checkRbacRecords,
  },
  {
    name: 'package-versions',
    summary: 'the packages of ots have different versions, or their archives are missing',
    load: async () => (await import('./rules/package-versions.ts')).checkPackageVersions,
  },
  {
    name: 'dockerfile',
    summary: 'the image runs as root, or its build is not reproducible',
    load: async () => (await import('./rules/dockerfile.ts')).checkDockerfile,
  },
  {
    name: 'workflows',
    summary:
      'a workflow is not reproducible, has more rights than it states, or runs a script that does not exist',
    load: async () => (await import('./rules/workflows.ts')).checkWorkflows,
  },
  {
    name: 'crd-compat',
    summary: 'the CRDs break users of the CRDs at the git revision of --compat',
    load: async () => (await import('./rules/crd-compat.ts')).checkCompat,
  },
  {
    name: 'unreadable-file',
    summary: 'a file that a rule needs cannot be read',
    load: async () => (view) => view.unreadable,
  },
];

/** The rule about the configuration itself, which cannot be turned off. */
export const configurationRule = 'configuration';
