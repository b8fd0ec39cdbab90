import { expect, test } from 'vitest';
import { onEachServer } from '../../../../apiserver/test/support/on-each-server.ts';
import { Story } from '../../support/story.ts';

const core = 'api/v1';
const storage = 'apis/storage.k8s.io/v1';
const watched = [
  { group: storage, resource: 'storageclasses', isClusterScoped: true },
  { group: core, resource: 'persistentvolumes', isClusterScoped: true },
  { group: core, resource: 'persistentvolumeclaims' },
  { group: storage, resource: 'volumeattributesclasses', isClusterScoped: true },
];

/** A story of volumes and claims. */
class VolumeStory {
  readonly story: Story;

  constructor(story: Story) {
    this.story = story;
  }

  /** The name of an object in no namespace. */
  nameOf(name: string): string {
    return `${this.story.namespace}-${name}`;
  }

  async volume(name: string, { metadata = {}, ...spec }: any = {}): Promise<void> {
    const source =
      spec.csi || spec.nfs || spec.iscsi ? {} : { hostPath: { path: `/tmp/ots-conformance/${name}` } };
    await this.story.create(
      'persistentvolumes',
      {
        metadata: { name: this.nameOf(name), ...metadata },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          persistentVolumeReclaimPolicy: 'Retain',
          ...source,
          ...spec,
        },
      },
      core,
    );
  }

  async claim(name: string, { metadata = {}, size = '1Gi', ...spec }: any = {}): Promise<void> {
    await this.story.create(
      'persistentvolumeclaims',
      {
        metadata: { name, ...metadata },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: '',
          resources: { requests: { storage: size } },
          ...spec,
        },
      },
      core,
    );
  }

  async class(name: string, body: object): Promise<void> {
    await this.story.create('storageclasses', { metadata: { name: this.nameOf(name) }, ...body }, storage);
  }

  /** A pod that uses a claim. */
  async pod(name: string, claimName: string, nodeName?: string): Promise<void> {
    const spec = {
      containers: [{ name: 'app', image: 'app:1' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
      terminationGracePeriodSeconds: 0,
      ...(nodeName !== undefined && { nodeName }),
    };
    await this.story.create('pods', { metadata: { name }, spec }, core);
  }

  /** Whether a volume or claim has a phase. */
  is(resource: 'volume' | 'claim', name: string, phase: string): () => Promise<boolean> {
    const fullName = resource === 'volume' ? this.nameOf(name) : name;
    return async () => {
      const objects = await this.story.list(
        `persistent${resource === 'volume' ? 'volumes' : 'volumeclaims'}`,
        core,
      );
      return objects.some(({ metadata, status }) => metadata.name === fullName && status.phase === phase);
    };
  }

  /** Whether an event with a reason is about an object. */
  said(reason: string, name: string): () => Promise<boolean> {
    return async () =>
      (await this.story.list('events', core)).some(
        (event) => event.reason === reason && event.involvedObject.name === name,
      );
  }
}

async function begin(server: Parameters<typeof Story.begin>[0], namespace: string) {
  const story = await Story.begin(server, namespace, watched);
  return { story, volumes: new VolumeStory(story) };
}

onEachServer('volumes', { recordRequests: true, workloads: { nodes: 0 } }, (server) => {
  test('a claim gets the smallest volume that has what it asks for', async () => {
    const { story, volumes } = await begin(server, 'binding');
    await story.step('volumes become available', async () => {
      await volumes.volume('small');
      await volumes.volume('medium', { capacity: { storage: '5Gi' } });
      await volumes.volume('large', { capacity: { storage: '50Gi' } });
      const shared = ['ReadWriteOnce', 'ReadWriteMany'];
      await volumes.volume('shared', { capacity: { storage: '4Gi' }, accessModes: shared });
      await volumes.volume('fast', { storageClassName: 'fast' });
      await volumes.volume('labeled', {
        metadata: { labels: { tier: 'gold' } },
        capacity: { storage: '90Gi' },
      });
      await volumes.volume('device', { volumeMode: 'Block' });
    });
    await story.step('each claim gets one', async () => {
      const claims = {
        // The volume with fewer access modes comes first, although another one is smaller.
        'by-size': { size: '2Gi' },
        'by-mode': { accessModes: ['ReadWriteMany'] },
        'by-class': { storageClassName: 'fast' },
        'by-label': { selector: { matchLabels: { tier: 'gold' } } },
        'by-volume-mode': { volumeMode: 'Block' },
      };
      for (const [name, spec] of Object.entries(claims)) {
        await volumes.claim(name, spec);
        await story.until(volumes.is('claim', name, 'Bound'));
      }
    });
    await story.step(
      'none is large enough',
      () => volumes.claim('too-large', { size: '100Gi' }),
      volumes.said('FailedBinding', 'too-large'),
    );
    await story.step(
      'a volume that comes later is found',
      () => volumes.volume('huge', { capacity: { storage: '200Gi' } }),
      volumes.is('claim', 'too-large', 'Bound'),
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/binding.yaml');
  });

  test('volumes and claims can name each other', async () => {
    const { story, volumes } = await begin(server, 'prebound');
    await story.step('a claim names a volume that does not exist', () =>
      volumes.claim('early', { volumeName: volumes.nameOf('late') }),
    );
    await story.step(
      'the volume comes',
      () => volumes.volume('late', { capacity: { storage: '3Gi' } }),
      volumes.is('claim', 'early', 'Bound'),
    );
    await story.step(
      'a claim names a volume that is too small',
      async () => {
        await volumes.volume('small');
        await volumes.claim('mismatched', { size: '2Gi', volumeName: volumes.nameOf('small') });
      },
      volumes.said('VolumeMismatch', 'mismatched'),
    );
    await story.step(
      'a claim names a volume of another claim',
      () => volumes.claim('second', { volumeName: volumes.nameOf('late') }),
      volumes.said('FailedBinding', 'second'),
    );
    await story.step('a volume is reserved for a claim', async () => {
      const claimRef = { namespace: story.namespace, name: 'expected' };
      await volumes.volume('reserved', { capacity: { storage: '8Gi' }, claimRef });
    });
    await story.step('another claim does not get it', () => volumes.claim('other', { size: '7Gi' }));
    await story.step(
      'the expected claim gets it',
      () => volumes.claim('expected'),
      volumes.is('claim', 'expected', 'Bound'),
    );
    await story.step(
      'its claim is replaced before the volume is reclaimed',
      () => story.delete('persistentvolumeclaims', 'expected', { group: core }),
      volumes.is('volume', 'reserved', 'Released'),
    );
    await story.step(
      'a claim with the same name does not get the data of the old one',
      () => volumes.claim('expected', { size: '6Gi' }),
      volumes.said('FailedBinding', 'expected'),
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/prebound.yaml');
  });

  test('a volume without its claim is reclaimed', async () => {
    const { story, volumes } = await begin(server, 'reclaiming');
    const sources = {
      kept: {},
      removed: { persistentVolumeReclaimPolicy: 'Delete' },
      stuck: { persistentVolumeReclaimPolicy: 'Delete', hostPath: { path: '/data' } },
      remote: { persistentVolumeReclaimPolicy: 'Delete', nfs: { server: 'nfs.example.com', path: '/' } },
      block: {
        persistentVolumeReclaimPolicy: 'Delete',
        iscsi: { targetPortal: '10.0.0.1:3260', iqn: 'iqn.2026-01.com.example:disk', lun: 0 },
      },
      driven: {
        persistentVolumeReclaimPolicy: 'Delete',
        csi: { driver: 'csi.example.com', volumeHandle: '1' },
      },
    };
    await story.step('bound', async () => {
      for (const [name, source] of Object.entries(sources)) {
        await volumes.volume(name, source);
        await story.until(volumes.is('volume', name, 'Available'));
        await volumes.claim(name, { volumeName: volumes.nameOf(name) });
        await story.until(volumes.is('claim', name, 'Bound'));
      }
    });
    await story.step('the claims are deleted', async () => {
      for (const name of Object.keys(sources)) {
        await story.delete('persistentvolumeclaims', name, { group: core });
        await story.until(async () => !(await volumes.is('volume', name, 'Bound')()));
      }
    });
    await expect(story.recorded()).toMatchFileSnapshot('recorded/reclaiming.yaml');
  });

  test('what is in use stays', async () => {
    const { story, volumes } = await begin(server, 'protected');
    const isDeleting = async (resource: string) =>
      (await story.list(resource, core)).every(({ metadata }) => metadata.deletionTimestamp);
    await story.step('a pod uses a claim', async () => {
      await volumes.volume('data', { storageClassName: story.namespace });
      await story.until(volumes.is('volume', 'data', 'Available'));
      await volumes.claim('data', { storageClassName: story.namespace });
      await story.until(volumes.is('claim', 'data', 'Bound'));
      await volumes.pod('app', 'data', 'node-1');
    });
    await story.step(
      'both are deleted',
      async () => {
        await story.delete('persistentvolumes', volumes.nameOf('data'), { group: core });
        await story.delete('persistentvolumeclaims', 'data', { group: core });
      },
      async () => (await isDeleting('persistentvolumes')) && (await isDeleting('persistentvolumeclaims')),
    );
    await story.step(
      'the pod goes',
      () => story.delete('pods', 'app', { group: core, gracePeriodSeconds: 0 }),
      async () => (await story.list('persistentvolumes', core)).length === 0,
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/protected.yaml');
  });

  test('a class of volume attributes that a claim or a volume names stays', async () => {
    const { story, volumes } = await begin(server, 'attributes');
    const className = volumes.nameOf('fast');
    const isDeleting = async () =>
      (await story.list('volumeattributesclasses', storage)).every(
        ({ metadata }) => metadata.deletionTimestamp,
      );
    const isGone = async () => (await story.list('volumeattributesclasses', storage)).length === 0;
    await story.step('a claim and a volume name a class', async () => {
      const body = { metadata: { name: className }, driverName: 'example.com', parameters: { iops: '1000' } };
      await story.create('volumeattributesclasses', body, storage);
      const csi = { driver: 'example.com', volumeHandle: '1' };
      await volumes.volume('data', { csi, volumeAttributesClassName: className });
      await volumes.claim('other', { storageClassName: 'none', volumeAttributesClassName: className });
    });
    await story.step(
      'the class is deleted',
      () => story.delete('volumeattributesclasses', className, { group: storage }),
      isDeleting,
    );
    await story.step('the volume goes', () =>
      story.delete('persistentvolumes', volumes.nameOf('data'), { group: core }),
    );
    await story.step(
      'the claim goes',
      () => story.delete('persistentvolumeclaims', 'other', { group: core }),
      isGone,
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/attributes.yaml');
  });

  test('a claim that loses its volume says so', async () => {
    const { story, volumes } = await begin(server, 'losing');
    await story.step('bound', async () => {
      await volumes.volume('data', { storageClassName: story.namespace });
      await story.until(volumes.is('volume', 'data', 'Available'));
      await volumes.claim('data', { storageClassName: story.namespace });
      await story.until(volumes.is('claim', 'data', 'Bound'));
    });
    await story.step(
      'the volume is removed by force',
      async () => {
        const name = volumes.nameOf('data');
        await story.delete('persistentvolumes', name, { group: core });
        await story.patch('persistentvolumes', name, { metadata: { finalizers: null } }, core);
      },
      volumes.is('claim', 'data', 'Lost'),
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/losing.yaml');
  });

  test('a class provides volumes', async () => {
    const { story, volumes } = await begin(server, 'classes');
    await story.step(
      'the class does not exist',
      () => volumes.claim('missing', { storageClassName: volumes.nameOf('missing') }),
      volumes.said('ProvisioningFailed', 'missing'),
    );
    await story.step('classes come', async () => {
      await volumes.class('static', { provisioner: 'kubernetes.io/no-provisioner' });
      await volumes.class('dynamic', { provisioner: 'example.com/disk', allowVolumeExpansion: true });
    });
    await story.step(
      'the class provisions nothing',
      () => volumes.claim('static', { storageClassName: volumes.nameOf('static') }),
      volumes.said('ProvisioningFailed', 'static'),
    );
    await story.step(
      'a provisioner is asked',
      () => volumes.claim('dynamic', { storageClassName: volumes.nameOf('dynamic') }),
      volumes.said('ExternalProvisioning', 'dynamic'),
    );
    await story.step(
      'the provisioner delivers',
      async () => {
        const { namespace } = story;
        const [claim] = (await story.list('persistentvolumeclaims', core)).filter(
          ({ metadata }) => metadata.name === 'dynamic',
        );
        const { name, uid, resourceVersion } = claim.metadata;
        const kind = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };
        await volumes.volume('delivered', {
          metadata: { annotations: { 'pv.kubernetes.io/provisioned-by': 'example.com/disk' } },
          storageClassName: volumes.nameOf('dynamic'),
          persistentVolumeReclaimPolicy: 'Delete',
          csi: { driver: 'example.com', volumeHandle: '1' },
          claimRef: { ...kind, namespace, name, uid, resourceVersion },
        });
      },
      volumes.is('claim', 'dynamic', 'Bound'),
    );
    await story.step(
      'the claim asks for more',
      () =>
        story.patch(
          'persistentvolumeclaims',
          'dynamic',
          { spec: { resources: { requests: { storage: '2Gi' } } } },
          core,
        ),
      volumes.said('ExternalExpanding', 'dynamic'),
    );
    await story.step(
      'the claim is deleted',
      () => story.delete('persistentvolumeclaims', 'dynamic', { group: core }),
      volumes.is('volume', 'delivered', 'Released'),
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/classes.yaml');
  });

  test('a class may wait for a pod', async () => {
    const { story, volumes } = await begin(server, 'waiting');
    await story.step('a class and a volume of it', async () => {
      const volumeBindingMode = 'WaitForFirstConsumer';
      await volumes.class('late', { provisioner: 'example.com/disk', volumeBindingMode });
      await volumes.volume('fitting', { storageClassName: volumes.nameOf('late') });
    });
    await story.step(
      'no pod uses the claim',
      () => volumes.claim('data', { storageClassName: volumes.nameOf('late') }),
      volumes.said('WaitForFirstConsumer', 'data'),
    );
    await story.step(
      'a pod waits for the scheduler',
      () => volumes.pod('app', 'data'),
      volumes.said('WaitForPodScheduled', 'data'),
    );
    await story.step(
      'the scheduler selects a node',
      () => {
        const annotations = { 'volume.kubernetes.io/selected-node': 'node-1' };
        return story.patch('persistentvolumeclaims', 'data', { metadata: { annotations } }, core);
      },
      volumes.said('ExternalProvisioning', 'data'),
    );
    await expect(story.recorded()).toMatchFileSnapshot('recorded/waiting.yaml');
  });

  test('a claim without a class gets the default class that comes later', async () => {
    const { story, volumes } = await begin(server, 'defaults');
    await story.step(
      'no class is the default',
      () => volumes.claim('data', { storageClassName: undefined, size: '1Ti' }),
      volumes.said('FailedBinding', 'data'),
    );
    await story.step(
      'the default class comes',
      () =>
        story.create(
          'storageclasses',
          {
            metadata: {
              name: volumes.nameOf('late'),
              annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
            },
            provisioner: 'example.com/disk',
          },
          storage,
        ),
      volumes.said('ExternalProvisioning', 'data'),
    );
    await story.delete('storageclasses', volumes.nameOf('late'), { group: storage });
    await expect(story.recorded()).toMatchFileSnapshot('recorded/defaults.yaml');
  });
});
