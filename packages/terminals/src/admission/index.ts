export { type Challenge, issueChallenge, meetChallenge } from './challenge.js';
export { type Seat, seatIn } from './seat.js';
