// Copyright 2026 The myapp-operator authors
// SPDX-License-Identifier: Apache-2.0

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/e2e/**/*.test.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
});
