import { ApiError } from '@devs/api';
import { CliError } from '../cli-error.js';

/** What a command would say to its user is an answer of the API; everything else is a bug. */
export async function asApiError<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof CliError ? new ApiError('conflict', error.message, { cause: error }) : error;
  }
}
