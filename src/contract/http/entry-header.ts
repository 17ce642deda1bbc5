/** The header of an answer with the id of a change's entry in the journal. Alone here, because the first view needs no other. */
export const entryHeader = 'X-Journal-Entry';
