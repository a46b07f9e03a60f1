-- The words of a title come with it, as those of an event do. Sessions of before get theirs when they are derived again.
alter table transcripts.sessions alter column words drop expression;
