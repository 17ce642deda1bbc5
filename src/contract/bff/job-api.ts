import '../http/zod-config.ts';
import * as z from 'zod/mini';
import {
  Job,
  JobId,
  JobPage,
  JobRowPage,
  JobRowsQuery,
  JobsQuery,
  LeaveOut,
  NewJob,
  StartJob,
} from './job.ts';
import { ImportFile, ImportPlan, ImportText, NewImport } from './import.ts';
import { bffBase } from './paths.ts';
import type { BffEndpoint } from './permission.ts';

/** The operations of jobs, and of the files that some are made from. */
export const jobApi = {
  /** Nothing is changed until it is started. */
  createJob: {
    method: 'POST',
    path: `${bffBase}/jobs`,
    access: 'runJobs',
    budget: 'job',
    body: NewJob,
    answer: Job,
  },
  /** Begins to send a file. */
  addImport: {
    method: 'POST',
    path: `${bffBase}/imports`,
    access: 'runJobs',
    budget: 'job',
    body: NewImport,
    answer: ImportFile,
  },
  /** Answers how much of the file is read, which is whole rows: the next text begins there. */
  addImportText: {
    method: 'PUT',
    path: `${bffBase}/imports/{id}/text`,
    access: 'runJobs',
    budget: 'part',
    params: JobId,
    body: ImportText,
    answer: ImportFile,
  },
  /** Prepares a job of a file that was sent to its end. */
  createImport: {
    method: 'POST',
    path: `${bffBase}/imports/{id}/job`,
    access: 'runJobs',
    budget: 'job',
    params: JobId,
    body: ImportPlan,
    answer: Job,
  },
  listJobs: {
    method: 'GET',
    path: `${bffBase}/jobs`,
    access: 'runJobs',
    query: JobsQuery,
    answer: JobPage,
  },
  getJob: {
    method: 'GET',
    path: `${bffBase}/jobs/{id}`,
    access: 'runJobs',
    params: JobId,
    answer: Job,
  },
  listJobRows: {
    method: 'GET',
    path: `${bffBase}/jobs/{id}/rows`,
    access: 'runJobs',
    params: JobId,
    query: JobRowsQuery,
    answer: JobRowPage,
  },
  /** All as JSON lines, and then their number. */
  exportJobRows: {
    method: 'GET',
    path: `${bffBase}/jobs/{id}/rows/export`,
    access: 'runJobs',
    budget: 'export',
    params: JobId,
    query: z.object({ result: JobRowsQuery.shape.result }),
    answer: z.instanceof(Response),
    streamed: true,
  },
  /** Also continues one that is paused or stopped. */
  startJob: {
    method: 'POST',
    path: `${bffBase}/jobs/{id}/start`,
    access: 'runJobs',
    params: JobId,
    body: StartJob,
    answer: Job,
  },
  /** Prepares an import again that was not started, now with the rows that are older than what is there. */
  importAnyway: {
    method: 'POST',
    path: `${bffBase}/jobs/{id}/anyway`,
    access: 'runJobs',
    budget: 'job',
    params: JobId,
    answer: Job,
  },
  leaveOutRows: {
    method: 'POST',
    path: `${bffBase}/jobs/{id}/leave-out`,
    access: 'runJobs',
    params: JobId,
    body: LeaveOut,
    answer: Job,
  },
  /** Changes that are under way are made. */
  pauseJob: {
    method: 'POST',
    path: `${bffBase}/jobs/{id}/pause`,
    access: 'runJobs',
    params: JobId,
    answer: Job,
  },
  /** Also gives up one that was only prepared. */
  stopJob: {
    method: 'POST',
    path: `${bffBase}/jobs/{id}/stop`,
    access: 'runJobs',
    params: JobId,
    answer: Job,
  },
  /** Tries the rows again that failed, or whose outcome nobody knows. */
  retryJob: {
    method: 'POST',
    path: `${bffBase}/jobs/{id}/retry`,
    access: 'runJobs',
    params: JobId,
    answer: Job,
  },
  /** Prepares and answers the job that undoes another one. */
  undoJob: {
    method: 'POST',
    path: `${bffBase}/jobs/{id}/undo`,
    access: 'runJobs',
    budget: 'job',
    params: JobId,
    answer: Job,
  },
} as const satisfies Record<string, BffEndpoint>;
