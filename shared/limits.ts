/**
 * The one table of limits. Every bound of the product is a number here; database CHECKs and the table in
 * `docs/security.md` are compared to it by a test. Units are in the names: `Chars` are UTF-16 units, `Bytes` are
 * UTF-8 bytes. The section in brackets is where the specification gives the rule.
 */
export const LIMITS = {
  // Visitors and sessions (§0.2, §6)
  promptChars: 4_000,
  askBodyBytes: 65_536,
  emptyBodyBytes: 1_024,
  visitorLifetimeMs: 24 * 3_600_000,
  sessionRetentionMs: 3 * 24 * 3_600_000,
  purgeFirstMs: 60_000,
  purgeEveryMs: 3_600_000,
  purgeBatchRows: 500,
  sessionsListDefault: 50,
  sessionsListMax: 200,
  emptySessionsPerVisitor: 20,
  titleGraphemes: 40,
  renameTitleChars: 60,
  prefillChars: 1_000,

  // Kernel (§0.2, §2.1)
  activeSessions: 8,
  sessionIdleMs: 15 * 60_000,
  sessionSweepMs: 60_000,
  historyChars: 8_000,
  toolResultChars: 8_000,
  toolTimeoutMs: 60_000,
  modelRoundTripsPerTurn: 24,
  toolCallsPerTurn: 48,
  turnTotalMs: 600_000,
  modelIdleMs: 120_000,
  modelTotalMs: 600_000,
  modelResponseBytes: 8 * 1_048_576,
  abortGraceMs: 2_000,
  turnTextChars: 262_144,
  // What a provider may claim for one turn; sums of it stay exact (§8)
  turnTokens: 1_000_000_000,
  turnCostMicros: 10_000_000_000,
  askDeltaFrames: 4_096,
  askJoinedDeltaChars: 256,
  providerErrorBytes: 4_096,
  sseLineChars: 1_048_576,

  // Events (§5)
  previewChars: 400,
  messagePreviewChars: 200,
  eventBytes: 8_192,
  eventArrayItems: 20,
  eventDepth: 4,
  eventProperties: 30,
  eventKeyChars: 64,
  mergedRowsPerSecond: 10,
  traceFlushMs: 1_000,
  traceFlushRows: 500,
  tracePendingRows: 5_000,
  traceReplayRows: 5_000,
  traceBusRows: 1_000,
  traceConnectionMs: 300_000,
  traceConnectionsPerSession: 8,
  traceConnections: 64,
  streamQueueFrames: 2_000,
  heartbeatMs: 15_000,
  streamGraceMs: 2_000,

  // Storage (§2.5, §4.3, §16)
  assistantWriteAttempts: 3,
  assistantWriteBackoffMs: 100,
  statementTimeoutMs: 5_000,
  databaseConnections: 10,
  databaseConnectMs: 5_000,
  databaseIdleMs: 60_000,
  databaseAnswerMs: 2_000,
  databaseIdleInTransactionMs: 15_000,
  logMessageChars: 500,
  notesCategoryChars: 64,
  notesReferenceChars: 128,
  notesSearchQueryChars: 120,
  notesSearchResults: 20,
  notesSearchResultsDefault: 5,
  notesSnippetChars: 160,
  notesListRows: 50,
  notesLatestChapters: 3,

  // Source tools (§15.4)
  sourceQueryMinChars: 2,
  sourceQueryChars: 100,
  sourceListRows: 400,
  sourceReadLines: 400,
  sourceSearchHits: 40,

  // Page views (§22)
  beaconBodyBytes: 1_024,
  visitPathChars: 256,

  // Stored values: each is also a CHECK of its table (§11.1, §13.2, §15.1, §16.1, §21.3)
  noteContentBytes: 1_048_576,
  noteCategoryNameChars: 64,
  noteSeriesNameChars: 128,
  noteDescriptionChars: 512,
  noteLabelChars: 32,
  noteTitleChars: 256,
  noteSummaryChars: 512,
  noteSourceUrlChars: 1_024,
  noteSortOrder: 9_999,
  noteAssetBytes: 4_194_304,
  imageBytes: 8_388_608,
  sourceFiles: 2_000,
  sourceFileBytes: 262_144,
  sourcePathChars: 300,
  toolNoteChars: 256,
  scriptTimeoutMinMs: 5_000,
  scriptTimeoutMaxMs: 120_000,
  providerUrlChars: 512,
  modelIdChars: 128,

  // Providers (§21.3); the two fallbacks are for a model of which nothing is known
  providerKeyMinChars: 8,
  providerKeyChars: 512,
  unknownContextWindow: 32_768,
  unknownMaxOutput: 4_096,

  // Admin endpoint (§21, contract of the admin surface)
  mcpBodyBytes: 8_388_608,
  mcpListBytes: 75_000,
  mcpDescriptionChars: 300,
  mcpPageDefault: 25,
  mcpPageRows: 100,
  mcpPageBytes: 49_152,
  mcpTextChars: 32_768,
  mcpSummaryChars: 500,
  mcpFailures: 20,
  mcpFailureWindowMs: 10 * 60_000,
  mcpFailureDelayMs: 1_000,
  mcpFailureRemotes: 1_000,
  mcpDelayedAnswers: 64,

  // Web port (architecture §14, Web port)
  webBodyBytes: 8 * 1_048_576,
  webShutdownMs: 10_000,

  // The page's own patience (architecture §6)
  streamSilenceMs: 45_000,
  reconnectMinMs: 500,
  reconnectMaxMs: 15_000,

  // Command line (architecture §10)
  startWaitMs: 60_000,
  devStartWaitMs: 180_000,
  stopWaitMs: 12_000,
  databaseStopWaitMs: 30_000,
  watchMs: 500,
  freeDiskBytes: 500 * 1_048_576,
  freeMemoryBytes: 1_024 * 1_048_576,
  localModelProbeMs: 300,
  suiteMs: 20 * 60_000,
  testMs: 60_000,

  // Bundled host: what it waits for and holds before any application code runs
  hostHeadersMs: 10_000,
  hostRequestMs: 60_000,
  hostKeepAliveMs: 5_000,
  hostLingerMs: 2_000,
  hostShutdownMs: 5_000,
  hostBodyBytes: 2 * 1_048_576,
  hostHeldChunkBytes: 65_536,
  hostLogBufferBytes: 1_048_576,
} as const;

/** Limits as they are passed around: a plain object, so that a test can scale one down (architecture §14, Tests). */
export type Limits = { readonly [K in keyof typeof LIMITS]: number };
