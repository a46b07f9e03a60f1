/** Whether a reader would see anything: neither spaces nor characters without a width, such as U+200B, are seen. */
export const isVisible = (text: string): boolean => /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(text)
