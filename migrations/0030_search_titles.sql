-- What is called exactly what somebody types comes first.
create index documents_by_title on search.documents (lower(left(title, 200)));
create index documents_by_id on search.documents (lower(left(id, 200)));
