import type { Logger as PinoLogger } from 'pino';

/** Structured logger: `logger.info({ replicas: 3 }, 'scaled')`. */
export type Logger = PinoLogger;
