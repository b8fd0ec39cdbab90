import { readFileSync } from 'node:fs';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The APIs of well-known tutorials and of the articles that ots was made for, in TypeScript and in Go. */
export const twins = [
  {
    file: 'batch.tutorial.kubebuilder.io_cronjobs.yaml',
    typescript: ['cron-job'],
    go: ['cronjob/v1/cronjob_types'],
  },
  {
    file: 'cache.example.com_memcacheds.yaml',
    typescript: ['memcached'],
    go: ['memcached/v1alpha1/memcached_types'],
  },
  { file: 'apps.example.com_myapps.yaml', typescript: ['my-app'], go: ['myapp/v1alpha1/myapp_types'] },
  {
    file: 'customimagedeploy.example.com_customimagedeploys.yaml',
    typescript: ['custom-image-deploy'],
    go: ['customimagedeploy/v1/customimagedeploy_types'],
  },
  {
    file: 'batch.my.github.com_jobwatchers.yaml',
    typescript: ['job-watcher'],
    go: ['jobwatcher/v1/jobwatcher_types'],
  },
  {
    file: 'widget.example.com_widgets.yaml',
    typescript: ['widget-v1', 'widget-v2'],
    go: ['widget/v1/widget_types', 'widget/v2/widget_types'],
  },
].map(({ file, typescript, go }) => ({
  file,
  typescript: Object.fromEntries(typescript.map((name) => [`src/${name}.ts`, read(`twins/${name}.ts`)])),
  go: go.map((path) => read(`go/${path}.go`)).join('\n'),
}));

/** The tags of controllers and webhooks, whose twin is go/manager. */
export const managerTwin = { 'src/manager.ts': read('twins/manager.ts') };
