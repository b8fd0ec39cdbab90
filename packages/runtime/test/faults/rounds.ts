/** How often a storm brings its fault: after one recovery it may come again. `npm run test:thorough` asks for more. */
export const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
