import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, test } from 'vitest';
import { type Break, checkedProject, expectFindings, replace } from '../support/checked-project.ts';
import type { TestProject } from '../support/test-project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await checkedProject();
});

const lint = '.github/workflows/lint.yml';

describe('package-versions', () => {
  test.each<Break>([
    [
      'one package of another version',
      (copy) => {
        copy.write('vendor/ots-runtime-0.2.0.tgz', '');
        copy.change('package.json', (text) => text.replace('ots-runtime-0.1.0.tgz', 'ots-runtime-0.2.0.tgz'));
      },
      ['package.json:31: error: ots-runtime has version 0.2.0, but ots has 0.1.0 (package-versions)'],
    ],
    [
      'a command of another version',
      (copy) =>
        copy.change('package.json', (text) =>
          text.replaceAll(/"file:vendor\/ots\S*-0\.1\.0\.tgz"/g, '"^0.2.0"'),
        ),
      [
        'package.json:35: warning: The project uses ots 0.2.0, but this command is ots 0.1.0 (package-versions)',
      ],
    ],
    [
      'an archive that is not in the repository',
      (copy) => rmSync(join(copy.directory, 'vendor/ots-testing-0.1.0.tgz')),
      [
        'package.json:37: error: ots-testing comes from vendor/ots-testing-0.1.0.tgz, which does not exist (package-versions)',
      ],
    ],
    [
      'a lock file of an earlier version',
      (copy) =>
        copy.write(
          'package-lock.json',
          JSON.stringify(
            {
              packages: Object.fromEntries(
                ['ots', 'ots-apiserver', 'ots-kubernetes', 'ots-runtime', 'ots-testing'].map((name) => [
                  `node_modules/${name}`,
                  { version: name === 'ots-testing' ? '0.0.9' : '0.1.0' },
                ]),
              ),
            },
            undefined,
            2,
          ),
        ),
      [
        'package-lock.json:15: error: package-lock.json has ots-testing 0.0.9, but package.json wants 0.1.0 (package-versions)',
      ],
    ],
    [
      'JSON that is broken',
      (copy) => copy.write('package.json', '{'),
      ['package.json:1: error: package.json is not valid JSON (package-versions)'],
    ],
    [
      'no package.json',
      (copy) => rmSync(join(copy.directory, 'package.json')),
      ['package.json:1: error: package.json is missing (package-versions)'],
    ],
  ])('%s', (_, edit, expected) => expectFindings(project, edit, expected));
});

describe('dockerfile', () => {
  test.each<Break>([
    [
      'a base that moves',
      replace('Dockerfile', 'node:24-bookworm-slim', 'node:latest'),
      [
        'Dockerfile:2: warning: The base image node:latest has the tag latest, so each build may get another one (dockerfile)',
      ],
    ],
    [
      'a base without a tag',
      replace('Dockerfile', 'gcr.io/distroless/nodejs24-debian13:nonroot', 'registry.example.com:5000/node'),
      [
        'Dockerfile:17: warning: The base image registry.example.com:5000/node has no tag, so each build may get another one (dockerfile)',
      ],
    ],
    [
      'root',
      replace('Dockerfile', 'USER 65532:65532', 'USER root'),
      ['Dockerfile:24: error: The image runs as root: USER root (dockerfile)'],
    ],
    [
      'no user',
      replace('Dockerfile', /FROM gcr.*nonroot([^]*)USER 65532:65532\n/, 'FROM node:24-bookworm-slim$1'),
      ['Dockerfile:17: error: The image runs as root: its last stage has no USER (dockerfile)'],
    ],
    [
      'a user by name',
      replace('Dockerfile', 'USER 65532:65532', 'USER node'),
      [
        'Dockerfile:24: warning: USER node is not a number, so Kubernetes cannot check runAsNonRoot (dockerfile)',
      ],
    ],
    [
      'npm install',
      replace('Dockerfile', 'RUN npm ci --omit=dev', 'RUN npm install --omit=dev'),
      ['Dockerfile:9: warning: npm install may choose other versions than package-lock.json (dockerfile)'],
    ],
  ])('%s', (_, edit, expected) => expectFindings(project, edit, expected));

  test('a Dockerfile of the author is left alone', () =>
    expectFindings(
      project,
      (copy) =>
        copy.write(
          'Dockerfile',
          'ARG BASE=node:24\nFROM ${BASE} AS build\nRUN npm install --global corepack && \\\n    npm ci\nFROM build\nUSER 1000\n',
        ),
      [],
    ));
});

describe('workflows', () => {
  test.each<Break>([
    [
      'a script that does not exist',
      replace(lint, 'npm run lint', 'npm run lnt'),
      [`${lint}:29: error: package.json has no script lnt (workflows)`],
    ],
    [
      'a script that the Makefile calls',
      replace('package.json', '"build-installer":', '"installer":'),
      ['error: package.json has no script build-installer (workflows)'],
    ],
    [
      'npm install',
      replace(lint, 'npm ci', 'npm install'),
      [`${lint}:28: warning: npm install may choose other versions than package-lock.json (workflows)`],
    ],
    [
      'an action that moves',
      replace(lint, /actions\/checkout@\w+ # v6.0.2/, 'some/action@main'),
      [
        `${lint}:21: warning: The action some/action can change at any time: main is not a commit (workflows)`,
      ],
    ],
    [
      'all rights',
      (copy) =>
        copy.change(lint, (text) =>
          text.replace('permissions: {}\n', '').replace('    permissions:\n      contents: read\n', ''),
        ),
      [`${lint}:14: warning: The job lint has all rights of the repository's token (workflows)`],
    ],
    [
      'text of others in a script',
      replace(
        lint,
        '      - run: npm ci\n',
        '      - run: |\n          npm ci\n          echo "${{ github.event.pull_request.title }}"\n',
      ),
      [`${lint}:30: error: The script contains text of others, which runs as code (workflows)`],
    ],
  ])('%s', (_, edit, expected) => expectFindings(project, edit, expected));

  test('a project without workflows has nothing to check', () =>
    expectFindings(project, (copy) => rmSync(join(copy.directory, '.github'), { recursive: true }), []));
});
