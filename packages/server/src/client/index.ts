export { connectSupervisor, type SupervisorClient } from './connect-supervisor.js';
