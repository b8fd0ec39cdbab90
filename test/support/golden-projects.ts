/** A project that stands in test/golden/ as ots writes it: the commands that make it, each as its arguments. */
export interface GoldenProject {
  readonly name: string;
  readonly steps: readonly (readonly string[])[];
}

const init = (projectName: string, domain: string, ...flags: string[]): string[] => [
  'init',
  '--skip-install',
  '--project-name',
  projectName,
  '--domain',
  domain,
  ...flags,
];
const gvk = (group: string, version: string, kind: string): string[] => [
  '--group',
  group,
  '--version',
  version,
  '--kind',
  kind,
];
const api = (group: string, version: string, kind: string, ...flags: string[]): string[] => [
  'create',
  'api',
  ...gvk(group, version, kind),
  ...flags,
];
const webhook = (group: string, version: string, kind: string, ...flags: string[]): string[] => [
  'create',
  'webhook',
  ...gvk(group, version, kind),
  ...flags,
];

const describedAs = (displayName: string, description: string): string[] => [
  'generate',
  'kustomize-manifests',
  '--display-name',
  displayName,
  '--description',
  description,
  '--provider-name',
  'Harbor Ltd',
  '--keywords',
  'boat',
  '--maintainers',
  'Ada:ada@example.com',
];

/** Between them these use every command, every flag that changes files, and every kind of resource. */
export const goldenProjects: readonly GoldenProject[] = [
  {
    name: 'jobwatcher',
    steps: [
      init(
        'jobwatcher',
        'my.github.com',
        '--repo',
        'github.com/acme/job-watcher-operator',
        '--owner',
        'Acme Ltd',
      ),
      api('batch', 'v1', 'JobWatcher', '--short-name', 'jw', '--categories', 'all'),
      webhook('batch', 'v1', 'JobWatcher', '--defaulting', '--programmatic-validation'),
    ],
  },
  {
    name: 'versions',
    steps: [
      init('versions', 'example.com', '--license', 'none'),
      api('cache', 'v1', 'Memcached'),
      api('cache', 'v2', 'Memcached'),
      webhook('cache', 'v1', 'Memcached', '--conversion', '--spoke', 'v2'),
      api('cache', 'v1', 'Memcached', '--resource=false', '--controller-name', 'memcached-backup'),
    ],
  },
  {
    name: 'multigroup',
    steps: [
      init('multigroup', 'example.com', '--multigroup', '--license', 'mit', '--owner', 'Acme Ltd'),
      api('crew', 'v1', 'Captain'),
      webhook('crew', 'v1', 'Captain', '--defaulting', '--defaulting-path', '/default-captains'),
      webhook('crew', 'v1', 'Captain', '--programmatic-validation'),
      api('sea-creatures', 'v1beta1', 'Kraken', '--plural', 'krakens'),
      api('foo.policy', 'v1', 'HealthCheckPolicy', '--namespaced=false', '--controller=false'),
      api('apps', 'v1', 'Deployment', '--resource=false'),
      webhook('core', 'v1', 'Pod', '--programmatic-validation'),
      api('cert-manager', 'v1', 'Certificate', '--resource=false', '--external-api-domain', 'io'),
    ],
  },
  {
    name: 'moved',
    steps: [
      init('moved', 'example.com', '--namespaced'),
      api('apps', 'v1alpha1', 'MyApp'),
      webhook('apps', 'v1alpha1', 'MyApp', '--defaulting'),
      ['edit', '--multigroup'],
      api('images', 'v1', 'CustomImageDeploy'),
      ['edit', '--namespaced=false', '--license', 'mit', '--owner', 'Harbor Ltd'],
    ],
  },
  {
    name: 'bundled',
    steps: [
      init('bundled', 'example.com', '--olm', '--license', 'none'),
      api('sea', 'v1', 'Boat'),
      webhook('sea', 'v1', 'Boat', '--defaulting'),
      describedAs('Boats', 'Sails boats.'),
    ],
  },
];
