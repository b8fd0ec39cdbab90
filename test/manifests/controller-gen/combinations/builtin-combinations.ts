import type { Combination } from '../combination.ts';

const imports = (module: string, ...names: string[]) =>
  `import type { ${names.join(', ')} } from 'ots-kubernetes/${module}';`;

/** Types of Kubernetes inside an API. */
export const builtinCombinations: readonly Combination[] = [
  {
    name: 'types of Kubernetes with a description and constraints of their own',
    types: {
      typescript: imports(
        'core/v1',
        'EnvVar',
        'LocalObjectReference',
        'ResourceRequirements',
        'SecretKeySelector',
      ),
      go: '',
    },
    typescript: `
      /** Where the password is. */ a: SecretKeySelector;
      /** @listType map @listMapKey name @maxItems 9 */ b?: EnvVar[];
      /** What it may take. @default {} */ c?: ResourceRequirements;
      /** @nullable */ d?: LocalObjectReference;
      /** By name. */ e?: Record<string, LocalObjectReference>;`,
    go: `
      // Where the password is.
      A corev1.SecretKeySelector json:"a"
      // +listType=map
      // +listMapKey=name
      // +kubebuilder:validation:MaxItems=9
      B []corev1.EnvVar json:"b,omitempty"
      // What it may take.
      // +kubebuilder:default={}
      C corev1.ResourceRequirements json:"c,omitempty"
      // +nullable
      D *corev1.LocalObjectReference json:"d,omitempty"
      // By name.
      E map[string]corev1.LocalObjectReference json:"e,omitempty"`,
  },
  {
    name: 'a template of an object',
    types: {
      typescript: 'interface Template { metadata?: ObjectMeta; size: int32 }',
      go: `
        type Template struct {
          metav1.ObjectMeta json:"metadata,omitempty"
          Size int32 json:"size"
        }`,
    },
    typescript: 'template: Template;',
    go: 'Template Template json:"template"',
  },
  {
    name: 'conditions',
    typescript: `
      /** @listType map @listMapKey type */ a?: Condition[];
      b?: Condition[];
      c?: Condition;`,
    go: `
      // +listType=map
      // +listMapKey=type
      A []metav1.Condition json:"a,omitempty"
      B []metav1.Condition json:"b,omitempty"
      C *metav1.Condition json:"c,omitempty"`,
  },
  {
    name: 'a whole object of Kubernetes',
    types: { typescript: imports('core/v1', 'ConfigMap', 'PersistentVolumeClaim'), go: '' },
    typescript: 'a?: ConfigMap; b?: PersistentVolumeClaim[];',
    go: `
      A *corev1.ConfigMap json:"a,omitempty"
      B []corev1.PersistentVolumeClaim json:"b,omitempty"`,
  },
  {
    name: 'a type of Kubernetes that is extended',
    types: {
      typescript: `${imports('core/v1', 'ResourceRequirements', 'SecretKeySelector')}
        interface Part extends ResourceRequirements { x: string }
        interface Key extends SecretKeySelector { y: string }`,
      go: `
        type Part struct {
          corev1.ResourceRequirements json:",inline"
          X string json:"x"
        }
        type Key struct {
          corev1.SecretKeySelector json:",inline"
          Y string json:"y"
        }`,
    },
    typescript: 'a: Part; b: Key;',
    go: `
      A Part json:"a"
      B Key json:"b"`,
  },
  {
    name: 'a type of Kubernetes with a name of its own',
    types: {
      typescript: `${imports('core/v1', 'Toleration')} ${imports('meta/v1', 'LabelSelector')}
        /** What to select. */ type Selector = LabelSelector;
        /** @maxItems 3 */ type Tolerations = Toleration[];`,
      go: `
        // What to select.
        type Selector metav1.LabelSelector
        // +kubebuilder:validation:MaxItems=3
        type Tolerations []corev1.Toleration`,
    },
    typescript: 'a: Selector; b: Tolerations;',
    go: `
      A Selector json:"a"
      B Tolerations json:"b"`,
  },
];
