module github.com/cloudnative-pg/cloudnative-pg/services

go 1.26.0

require github.com/cloudnative-pg/cloudnative-pg v1.29.0
