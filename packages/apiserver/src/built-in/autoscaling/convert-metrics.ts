import { type JsonObject, isObject } from '../../json/json-object.ts';

type Convert = (metric: JsonObject) => JsonObject;

/** The two encodings of one kind of metric; the keys are the names of its field. */
interface Forms {
  toV1: Convert;
  toV2: Convert;
}

/** The kinds of metrics in the order in which v1 writes their fields. */
const fields = ['object', 'pods', 'resource', 'containerResource', 'external'] as const;

const specs: Record<(typeof fields)[number], Forms> = {
  object: {
    toV1: ({ describedObject, metric, target }) =>
      compact({
        target: describedObject,
        metricName: at(metric, 'name'),
        targetValue: at(target, 'value') ?? '0',
        selector: at(metric, 'selector'),
        averageValue: at(target, 'averageValue'),
      }),
    toV2: ({ target, metricName, targetValue, selector, averageValue }) => ({
      describedObject: target,
      target: compact(
        averageValue === undefined
          ? { type: 'Value', value: targetValue }
          : { type: 'AverageValue', value: targetValue === '0' ? undefined : targetValue, averageValue },
      ),
      metric: compact({ name: metricName, selector }),
    }),
  },
  pods: {
    toV1: ({ metric, target }) =>
      compact({
        metricName: at(metric, 'name'),
        targetAverageValue: at(target, 'averageValue') ?? '0',
        selector: at(metric, 'selector'),
      }),
    toV2: ({ metricName, targetAverageValue, selector }) => ({
      metric: compact({ name: metricName, selector }),
      target: { type: 'AverageValue', averageValue: targetAverageValue },
    }),
  },
  resource: { toV1: resourceToV1, toV2: resourceToV2 },
  containerResource: {
    toV1: (metric) => ({ ...resourceToV1(metric), container: metric['container'] }),
    toV2: (metric) => ({ ...resourceToV2(metric), container: metric['container'] }),
  },
  external: {
    toV1: ({ metric, target }) =>
      compact({
        metricName: at(metric, 'name'),
        metricSelector: at(metric, 'selector'),
        targetValue: at(target, 'value'),
        targetAverageValue: at(target, 'averageValue'),
      }),
    toV2: ({ metricName, metricSelector, targetValue, targetAverageValue }) => ({
      metric: compact({ name: metricName, selector: metricSelector }),
      target: compact({
        type: targetValue === undefined ? 'AverageValue' : 'Value',
        value: targetValue,
        averageValue: targetAverageValue,
      }),
    }),
  },
};

function resourceToV1({ name, target }: JsonObject): JsonObject {
  return compact({
    name,
    targetAverageUtilization: at(target, 'averageUtilization'),
    targetAverageValue: at(target, 'averageValue'),
  });
}

function resourceToV2({ name, targetAverageUtilization, targetAverageValue }: JsonObject): JsonObject {
  return {
    name,
    target: compact({
      type: targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization',
      averageValue: targetAverageValue,
      averageUtilization: targetAverageUtilization,
    }),
  };
}

const statuses: typeof specs = {
  object: {
    toV1: ({ describedObject, metric, current }) =>
      compact({
        target: describedObject,
        metricName: at(metric, 'name'),
        currentValue: at(current, 'value') ?? '0',
        selector: at(metric, 'selector'),
        averageValue: at(current, 'averageValue'),
      }),
    toV2: ({ target, metricName, currentValue, selector, averageValue }) => ({
      metric: compact({ name: metricName, selector }),
      current: compact({ value: currentValue, averageValue }),
      describedObject: target,
    }),
  },
  pods: {
    toV1: ({ metric, current }) =>
      compact({
        metricName: at(metric, 'name'),
        currentAverageValue: at(current, 'averageValue') ?? '0',
        selector: at(metric, 'selector'),
      }),
    toV2: ({ metricName, currentAverageValue, selector }) => ({
      metric: compact({ name: metricName, selector }),
      current: { averageValue: currentAverageValue },
    }),
  },
  resource: { toV1: statusToV1, toV2: statusToV2 },
  containerResource: {
    toV1: (metric) => ({ ...statusToV1(metric), container: metric['container'] }),
    toV2: (metric) => ({ ...statusToV2(metric), container: metric['container'] }),
  },
  external: {
    toV1: ({ metric, current }) =>
      compact({
        metricName: at(metric, 'name'),
        metricSelector: at(metric, 'selector'),
        currentValue: at(current, 'value') ?? '0',
        currentAverageValue: at(current, 'averageValue'),
      }),
    toV2: ({ metricName, metricSelector, currentValue, currentAverageValue }) => ({
      metric: compact({ name: metricName, selector: metricSelector }),
      current: compact({ value: currentValue, averageValue: currentAverageValue }),
    }),
  },
};

function statusToV1({ name, current }: JsonObject): JsonObject {
  return compact({
    name,
    currentAverageUtilization: at(current, 'averageUtilization'),
    currentAverageValue: at(current, 'averageValue') ?? '0',
  });
}

function statusToV2({ name, currentAverageUtilization, currentAverageValue }: JsonObject): JsonObject {
  return {
    name,
    current: compact({ averageValue: currentAverageValue, averageUtilization: currentAverageUtilization }),
  };
}

/** Converts metrics between versions. Leaves values that are not objects for the validation to refuse. */
function convert(metrics: readonly unknown[], forms: typeof specs, direction: keyof Forms): unknown[] {
  return metrics.map((metric) => {
    if (!isObject(metric)) return metric;
    const converted: JsonObject = { type: metric['type'] };
    for (const field of fields) {
      const source = metric[field];
      if (isObject(source)) converted[field] = forms[field][direction](source);
    }
    return converted;
  });
}

export const metricSpecs = {
  toV1: (metrics: readonly unknown[]) => convert(metrics, specs, 'toV1'),
  toV2: (metrics: readonly unknown[]) => convert(metrics, specs, 'toV2'),
};

export const metricStatuses = {
  toV1: (metrics: readonly unknown[]) => convert(metrics, statuses, 'toV1'),
  toV2: (metrics: readonly unknown[]) => convert(metrics, statuses, 'toV2'),
};

function at(value: unknown, field: string): unknown {
  return isObject(value) ? value[field] : undefined;
}

/** Removes undefined fields. */
function compact(fieldsOf: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fieldsOf).filter(([, value]) => value !== undefined));
}
