// Copyright 2026 Harbor Ltd
// SPDX-License-Identifier: MIT

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['src/**/*.test.ts'], testTimeout: 30_000, passWithNoTests: true },
});
