// Copyright 2026 The wordpress-operator authors
// SPDX-License-Identifier: Apache-2.0

import { Plan, type PlanStage, parallel, phase, step } from 'ots-runtime';
import type { Plans, Wordpress } from '../api/v1alpha1/wordpress.ts';
import type { Cluster } from './cluster.ts';
import { type Site, requestFor, scriptFor } from './objects.ts';

/** What to do, step by step. A step does its work, or checks it: it may run again at any time. */
export function plansIn(cluster: Cluster): Record<keyof Plans, Plan<Wordpress>> {
  const request = (plan: string, name: string, page: string): PlanStage<Wordpress> =>
    step(name, (site) =>
      cluster.complete(requestFor(site, `${plan}-${site.spec.version}`, name, page)),
    );
  const script = (
    name: string,
    runOf: (site: Site) => ScriptRun,
    lines: string,
  ): PlanStage<Wordpress> =>
    step(name, (site) =>
      cluster.complete(scriptFor(site, { ...runOf(site), name, script: lines })),
    );
  const save = (runOf: (site: Site) => ScriptRun): PlanStage<Wordpress> =>
    parallel(
      script(
        'dump-database',
        runOf,
        'mkdir -p $BACKUP; mariadb-dump -h $HOST -u root wordpress > $BACKUP/database.sql',
      ),
      script(
        'archive-uploads',
        runOf,
        'mkdir -p $BACKUP; tar -cf $BACKUP/uploads.tar -C /uploads .',
      ),
    );
  return {
    deploy: new Plan<Wordpress>([
      phase(
        'database',
        step('start', (site) => cluster.waitForDatabase(site)),
      ),
      phase(
        'web',
        step('start', (site) => cluster.startWeb(site, site.spec.version)),
        request('deploy', 'check', 'wp-login.php'),
      ),
    ]),
    update: new Plan<Wordpress>([
      phase(
        'data',
        save(({ spec: { version } }) => ({
          run: `update-${version}`,
          backup: `before-${version}`,
        })),
      ),
      phase(
        'web',
        step('replace', (site) => cluster.startWeb(site, site.spec.version)),
        request('update', 'migrate', 'wp-admin/upgrade.php?step=1'),
      ),
    ]),
    backup: new Plan<Wordpress>([
      phase(
        'data',
        save(({ spec: { run } }) => ({ run: `backup-${run!.id}`, backup: run!.id })),
      ),
    ]),
    restore: new Plan<Wordpress>([
      phase(
        'backup',
        script('find', restoreRun, 'test -e $BACKUP/database.sql; test -e $BACKUP/uploads.tar'),
      ),
      phase(
        'stop',
        step('web', (site) => cluster.stopWeb(site)),
      ),
      phase(
        'data',
        parallel(
          script(
            'load-database',
            restoreRun,
            'mariadb -h $HOST -u root wordpress < $BACKUP/database.sql',
          ),
          script(
            'unpack-uploads',
            restoreRun,
            'find /uploads -mindepth 1 -delete; tar -xf $BACKUP/uploads.tar -C /uploads',
          ),
        ),
      ),
      phase(
        'start',
        step('web', (site) => cluster.startWeb(site, site.status!.version!)),
      ),
    ]),
  };
}

/** The run that a script is part of, and the backup that it writes or reads. */
interface ScriptRun {
  readonly run: string;
  readonly backup: string;
}

function restoreRun({ spec: { run } }: Site): ScriptRun {
  return { run: `restore-${run!.id}`, backup: run!.backup! };
}
