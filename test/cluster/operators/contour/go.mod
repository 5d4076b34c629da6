module github.com/projectcontour/contour/services

go 1.26.0

require github.com/projectcontour/contour v1.33.8
