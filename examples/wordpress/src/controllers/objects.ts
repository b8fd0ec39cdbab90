// Copyright 2026 The wordpress-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { Deployment, StatefulSet } from 'ots-kubernetes/apps/v1';
import type { Job } from 'ots-kubernetes/batch/v1';
import type { Container, PersistentVolumeClaim, Service } from 'ots-kubernetes/core/v1';
import {
  type ApplyConfiguration,
  type DeepReadonly,
  childName,
  controllerReference,
} from 'ots-runtime';
import type { Wordpress } from '../api/v1alpha1/wordpress.ts';

export type Site = DeepReadonly<Wordpress>;

const databaseImage = 'mariadb:11.4';

/** The label of Jobs: the plan and the run that they belong to. */
export const runLabel = 'apps.example.com/run';

export function databaseFor(site: Site): ApplyConfiguration<StatefulSet> {
  const metadata = metadataFor(site, 'database');
  const { labels } = metadata;
  return {
    metadata,
    spec: {
      serviceName: metadata.name,
      replicas: 1,
      selector: { matchLabels: labels },
      // A site that is created again gets a new database, and a second replica that a user has added leaves nothing.
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: 'mariadb',
              image: databaseImage,
              env: [
                password('MARIADB_ROOT_PASSWORD', site),
                { name: 'MARIADB_DATABASE', value: 'wordpress' },
              ],
              ports: [{ name: 'mysql', containerPort: 3306 }],
              readinessProbe: {
                exec: { command: ['healthcheck.sh', '--connect', '--innodb_initialized'] },
              },
              volumeMounts: [{ name: 'data', mountPath: '/var/lib/mysql' }],
            },
          ],
        },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: {
            accessModes: ['ReadWriteOnce'],
            resources: { requests: { storage: site.spec.storage! } },
          },
        },
      ],
    },
  };
}

export function webFor(
  site: Site,
  version: string,
  isStopped: boolean,
): ApplyConfiguration<Deployment> {
  const metadata = metadataFor(site, 'web');
  const { labels } = metadata;
  return {
    metadata,
    spec: {
      replicas: isStopped ? 0 : site.spec.replicas!,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: 'wordpress',
              image: `wordpress:${version}`,
              env: [
                { name: 'WORDPRESS_DB_HOST', value: nameFor(site, 'database') },
                { name: 'WORDPRESS_DB_USER', value: 'root' },
                password('WORDPRESS_DB_PASSWORD', site),
              ],
              ports: [{ name: 'http', containerPort: 80 }],
              readinessProbe: { httpGet: { path: '/wp-login.php', port: 'http' } },
              volumeMounts: [{ name: 'uploads', mountPath: '/var/www/html/wp-content/uploads' }],
            },
          ],
          volumes: [volume(site, 'uploads')],
        },
      },
    },
  };
}

export function serviceFor(site: Site, part: 'database' | 'web'): ApplyConfiguration<Service> {
  const metadata = metadataFor(site, part);
  const ports = [part === 'web' ? { name: 'http', port: 80 } : { name: 'mysql', port: 3306 }];
  return {
    metadata,
    spec: { selector: metadata.labels, ports, ...(part === 'database' && { clusterIP: 'None' }) },
  };
}

export function volumeFor(
  site: Site,
  part: 'uploads' | 'backups',
): ApplyConfiguration<PersistentVolumeClaim> {
  return {
    metadata: metadataFor(site, part),
    spec: {
      accessModes: ['ReadWriteMany'],
      resources: { requests: { storage: site.spec.storage! } },
    },
  };
}

/** A Job with the volumes of uploads and backups and a client of the database. The script finds the backup in `$BACKUP`. */
export function scriptFor(
  site: Site,
  { run, name, backup, script }: { run: string; name: string; backup: string; script: string },
): ApplyConfiguration<Job> {
  return jobFor(site, run, {
    name,
    image: databaseImage,
    command: ['sh', '-ec', script],
    env: [
      { name: 'BACKUP', value: `/backups/${backup}` },
      { name: 'HOST', value: nameFor(site, 'database') },
      password('MYSQL_PWD', site),
    ],
    volumeMounts: [
      { name: 'uploads', mountPath: '/uploads' },
      { name: 'backups', mountPath: '/backups' },
    ],
  });
}

/** A Job that requests a page of the site. */
export function requestFor(
  site: Site,
  run: string,
  name: string,
  page: string,
): ApplyConfiguration<Job> {
  const command = ['curl', '--fail', `http://${nameFor(site, 'web')}/${page}`];
  return jobFor(site, run, { name, image: 'curlimages/curl:8.10.1', command });
}

function jobFor(site: Site, run: string, container: Container): ApplyConfiguration<Job> {
  const metadata = metadataFor(site, `${run}-${container.name}`.replaceAll('.', '-'));
  return {
    metadata: { ...metadata, labels: { ...metadata.labels, [runLabel]: run } },
    spec: {
      backoffLimit: 2,
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [container],
          volumes: [volume(site, 'uploads'), volume(site, 'backups')],
        },
      },
    },
  };
}

export function nameFor(site: Site, part: string): string {
  return childName(site, part);
}

function metadataFor(site: Site, part: string) {
  const labels = {
    'app.kubernetes.io/name': 'wordpress',
    'app.kubernetes.io/instance': site.metadata.name!,
    'app.kubernetes.io/component': part,
  };
  const { namespace } = site.metadata;
  return {
    name: nameFor(site, part),
    namespace,
    labels,
    ownerReferences: [controllerReference(site)],
  };
}

function volume(site: Site, name: 'uploads' | 'backups') {
  return { name, persistentVolumeClaim: { claimName: nameFor(site, name) } };
}

function password(name: string, { spec }: Site) {
  return { name, valueFrom: { secretKeyRef: { name: spec.databaseSecret, key: 'password' } } };
}
