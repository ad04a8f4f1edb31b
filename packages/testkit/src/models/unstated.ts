/**
 * Stands for a value of an answer that the model doesn't know, such as a time of use that is stored
 * in the background.
 */
export const UNSTATED = '(any value)';
