module markers.example.com

go 1.24
