/** The beginning of every `type` of ours; the code follows. */
export const typePrefix = 'urn:subscriber-desk:problem:';
