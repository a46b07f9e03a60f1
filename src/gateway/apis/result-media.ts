/**
 * A result of a chat tool is text: images and files of one follow it as the user's, with a word to what they belong.
 * Some providers would take them within the result; this way all of them do.
 */
export const mediaFollow = '(The rest of the result follows in the next message.)'

export const mediaLabel = (callId: string): string => `From the result of the tool call ${callId}:`
