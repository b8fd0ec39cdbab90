type Files = Readonly<Record<string, string>>;

/** What the author of the golden project jobwatcher edits every day: the file, a text in it, and what replaces it. */
const edits: readonly (readonly [path: string, text: string, replacement: string])[] = [
  ['package.json', '"ots-runtime":', '"cron-parser": "5.4.0",\n    "ots-runtime":'],
  ['package.json', '"vitest": "^4.1.12"\n', '"vitest": "^4.1.12",\n    "zod": "4.1.0"\n'],
  ['package.json', '"start":', '"seed": "node scripts/seed.mjs",\n    "start":'],
  ['config/default/kustomization.yaml', '  - ../crd\n', '  - ../crd\n  - ../database\n'],
  ['config/default/kustomization.yaml', '  - ../webhook\n', '  - ../webhook\n  - ../prometheus\n'],
  ['config/rbac/kustomization.yaml', '-viewer-role.yaml\n', '-viewer-role.yaml\n  - backup-role.yaml\n'],
  ['config/manager/manager.yaml', 'memory: 256Mi', 'memory: 512Mi'],
  [
    'src/api/v1/job-watcher.ts',
    "  mode?: 'Active' | 'Paused';\n",
    '  /** A schedule. */\n  schedule?: string;\n',
  ],
  [
    'src/controllers/job-watcher.controller.ts',
    '/finalizers verbs=update\n',
    '/finalizers verbs=update\n * @rbac groups=batch resources=jobs verbs=get;list;watch\n',
  ],
  ['README.md', '# jobwatcher\n', '# Watches jobs\n'],
  [
    'README.md',
    '| path | |\n| --- | --- |\n',
    '| path | |\n| --- | --- |\n| `config/database/` | the database |\n',
  ],
  ['Makefile', '##@ Build\n', '.PHONY: seed\nseed: ## Fill the database\n\tnpm run seed\n\n##@ Build\n'],
];

/** Files that the author added. */
const added = { 'config/rbac/backup-role.yaml': 'kind: Role\n', 'scripts/seed.mjs': '// seeds\n' };

/** A project with the edits of its author. @throws Error if a release does not have a text */
export function withEdits(files: Files): Files {
  const edited: Record<string, string> = { ...files, ...added };
  for (const [path, text, replacement] of edits) {
    if (!edited[path]?.includes(text)) throw new Error(`${path} does not contain ${text}`);
    edited[path] = edited[path].replace(text, () => replacement);
  }
  return edited;
}

/** What is missing of the edits. */
export function missingEdits(files: Files): string[] {
  const lines = edits.flatMap(([path, text, replacement]) =>
    replacement
      .split('\n')
      .filter((line) => !text.includes(line.trim()))
      .map((line) => [path, line.trim()] as const),
  );
  return [
    ...lines.filter(([path, line]) => !files[path]?.includes(line)).map((place) => place.join(': ')),
    ...Object.entries(added)
      .filter(([path, text]) => files[path] !== text)
      .map(([path]) => path),
  ];
}
