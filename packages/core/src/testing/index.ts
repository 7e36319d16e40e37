export { agentChannelContract, type ChannelWorld } from './agent-channel-contract.js';
export { continuingLlm } from './continuing-llm.js';
export { deepFreeze } from './deep-freeze.js';
export {
  type DispatcherProof,
  type DispatcherWorld,
  dispatcherContract,
  proveDispatcher,
} from './dispatcher-contract.js';
export { createManualClock } from './manual-clock.js';
export { createMemoryBackend, createMemoryDisk, type MemoryDisk } from './memory-backend.js';
export { plantedSecrets } from './planted-secrets.js';
export { createRandom, type Random } from './random.js';
export { createRecordingLogger, type RecordingLogger } from './recording-logger.js';
export {
  askRedis,
  freePort,
  isRedisInstalled,
  REDIS_NOT_INSTALLED,
  type RedisServer,
  startRedisServer,
} from './redis-server.js';
export { rounds, seed } from './rounds.js';
export { type ScriptedLlm, scriptedLlm } from './scripted-llm.js';
export { SILENT_ADDRESS } from './silent-address.js';
export { type ContractWorld, createContractWorld, type Proof } from './store-contract/contract-world.js';
export { eventLogContract } from './store-contract/event-log-contract.js';
export { leasesContract } from './store-contract/leases-contract.js';
export { taskQueueContract } from './store-contract/task-queue-contract.js';
export { randomEnvelope } from './tool-calls.js';
export { turnContext } from './turn-context.js';
export { until } from './until.js';
export { validEnvelope } from './valid-envelope.js';
